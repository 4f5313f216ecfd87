// Times threads that read and copy memory.
#include "cpu/memory_speed.hpp"

#include "core/error.hpp"
#include "core/own_thread.hpp"
#include "core/zeroed_memory.hpp"

#include <algorithm>
#include <atomic>
#include <barrier>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <exception>
#include <memory>
#include <system_error>
#include <thread>

namespace duomap::cpu {
namespace {

using clock = std::chrono::steady_clock;

double seconds_since(clock::time_point begin) {
  return std::chrono::duration<double>(clock::now() - begin).count();
}

// A sample passes over the memory this often. Two passes take longer than threads take to start together.
constexpr unsigned passes = 2;
// The source and the target of a copy are half a block and this distance apart. At a distance that is a power
// of two, both would use the same sets of the caches.
constexpr std::size_t apart_words = (std::size_t{17} << 12) / sizeof(std::uint64_t);

/// The memory of one thread. The thread writes it first, so that the memory is near the thread on machines
/// with several NUMA nodes.
class block {
 public:
  explicit block(std::uint64_t bytes)
    : words_(std::max<std::uint64_t>(bytes / sizeof(std::uint64_t) / 16, 1) * 16),
      memory_(
          allocate_zeroed((words_ + apart_words) * sizeof(std::uint64_t), "a thread that measures memory")),
      data_(static_cast<std::uint64_t*>(memory_.get())) {
    std::fill_n(data_, words_ + apart_words, std::uint64_t{1});
  }

  [[nodiscard]] std::uint64_t bytes() const { return words_ * sizeof(std::uint64_t); }

  /// Reads all words, each of which is 1. Eight separate sums keep additions from waiting for each other.
  void read() const {
    std::uint64_t sums[8] = {};
    for (std::size_t i = 0; i < words_; i += 8) {
      for (std::size_t lane = 0; lane < 8; ++lane) sums[lane] += data_[i + lane];
    }
    std::uint64_t sum = 0;
    for (const std::uint64_t lane : sums) sum += lane;
    expects(sum == words_, "memory that was written holds what was written");
  }

  void copy() { std::memcpy(data_ + words_ / 2 + apart_words, data_, words_ / 2 * sizeof(std::uint64_t)); }

 private:
  std::size_t words_;
  zeroed_memory memory_;
  std::uint64_t* data_;
};

/// Measures the bytes per second that `threads` threads read and copy together, and adds both rates to
/// `figures`. A measurement lasts from the common start of the threads to the end of the last thread.
void measure_threads(unsigned threads, const memory_speed_options& options,
                     std::vector<machine_figure>& figures) {
  std::vector<double> reads(options.samples);
  std::vector<double> copies(options.samples);
  std::exception_ptr failure;
  std::atomic<bool> failed{false};
  std::barrier together(static_cast<std::ptrdiff_t>(threads));
  // The system may refuse to start a thread. So no thread goes to a barrier before all threads have started.
  enum class go { later, now, never };
  std::atomic<go> start{go::later};
  const auto work = [&](unsigned thread) {
    start.wait(go::later);
    if (start.load() == go::never) return;
    std::unique_ptr<block> mine;
    const auto guarded = [&](const auto& action) {
      try {
        if (!failed.load()) action();
      } catch (...) {
        if (!failed.exchange(true)) failure = std::current_exception();
      }
    };
    // All threads meet at every barrier, even if one of them has failed.
    guarded([&] { mine = std::make_unique<block>(options.bytes_per_thread); });
    for (unsigned round = 0; round < options.samples; ++round) {
      together.arrive_and_wait();
      auto begin = clock::now();
      guarded([&] {
        for (unsigned pass = 0; pass < passes; ++pass) mine->read();
      });
      together.arrive_and_wait();
      if (thread == 0) reads[round] = seconds_since(begin);
      begin = clock::now();
      guarded([&] {
        for (unsigned pass = 0; pass < passes; ++pass) mine->copy();
      });
      together.arrive_and_wait();
      if (thread == 0) copies[round] = seconds_since(begin);
    }
  };
  {
    std::vector<std::jthread> others;
    try {
      for (unsigned i = 1; i < threads; ++i) others.emplace_back(work, i);
    } catch (const std::system_error& why) {
      start = go::never;
      start.notify_all();
      no_thread("to measure memory; use fewer --threads", why);
    } catch (...) {
      start = go::never;
      start.notify_all();
      throw;
    }
    start = go::now;
    start.notify_all();
    work(0);
  }
  if (failure) std::rethrow_exception(failure);
  const double bytes = static_cast<double>(options.bytes_per_thread) * passes * threads;
  for (double& one : reads) one = bytes / one;
  for (double& one : copies) one = bytes / 2 / one;
  figures.push_back(figure_of(machine_property::copy, threads, std::move(copies)));
  figures.push_back(figure_of(machine_property::read, threads, std::move(reads)));
}

}  // namespace

std::vector<machine_figure> measure_memory(const memory_speed_options& options) {
  expects(options.threads > 0 && options.samples > 0, "measuring takes a thread and a sample at least");
  std::vector<machine_figure> figures;
  for (unsigned threads = 1; threads < options.threads; threads *= 2)
    measure_threads(threads, options, figures);
  measure_threads(options.threads, options, figures);
  return figures;
}

double read_during(const memory_speed_options& options, const std::function<void()>& body) {
  // The caller sets it, and readers see it at the latest one block later. It publishes no other data.
  std::atomic<bool> ends{false};
  std::atomic<unsigned> ready{0};
  std::atomic<std::uint64_t> bytes{0};
  std::atomic<bool> failed{false};
  double rate = 0;
  {
    std::vector<std::jthread> readers;
    const auto stop = [&] {
      ends.store(true, std::memory_order_relaxed);
    };
    try {
      for (unsigned i = 0; i < options.threads; ++i) {
        readers.emplace_back([&] {
          try {
            const block mine(options.bytes_per_thread);
            ready.fetch_add(1);
            while (!ends.load(std::memory_order_relaxed)) {
              mine.read();
              bytes.fetch_add(mine.bytes(), std::memory_order_relaxed);
            }
          } catch (...) {
            failed.store(true);
            ready.fetch_add(1);
          }
        });
      }
      while (ready.load() < options.threads) std::this_thread::yield();
      const auto begin = clock::now();
      const std::uint64_t before = bytes.load(std::memory_order_relaxed);
      body();
      const double seconds = seconds_since(begin);
      rate = static_cast<double>(bytes.load(std::memory_order_relaxed) - before) / seconds;
    } catch (const std::system_error& why) {
      stop();
      no_thread("to read memory; use fewer --threads", why);
    } catch (...) {
      stop();
      throw;
    }
    stop();
  }
  if (failed.load()) throw out_of_memory("no memory to measure how fast it is read; use fewer --threads");
  return rate;
}

}  // namespace duomap::cpu
