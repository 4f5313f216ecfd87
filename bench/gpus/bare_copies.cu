// Copies memory to GPUs from threads that start together.
#include "bench/gpus/bare_copies.hpp"
#include "bench/harness/bench_context.hpp"
#include "gpu/runtime/buffer.cuh"
#include "gpu/runtime/check.cuh"
#include "gpu/runtime/stream.cuh"

#include <algorithm>
#include <array>
#include <atomic>
#include <barrier>
#include <cstdint>
#include <cstring>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

namespace duomap::apps {
namespace {

/// Calls prepare(thread) on each thread, which returns a function. Then starts all these functions at once,
/// and returns the seconds until the last one ends. @throws the exception of a thread
double seconds_together(unsigned threads, const std::function<std::function<void()>(unsigned)>& prepare) {
  std::barrier together(threads + 1);
  std::mutex mutex;
  std::exception_ptr failure;  // guarded by mutex
  const auto keep_failure = [&](const auto& call) {
    try {
      call();
    } catch (...) {
      const std::lock_guard held(mutex);
      failure = std::current_exception();
    }
  };
  std::vector<std::thread> all;
  for (unsigned i = 0; i < threads; ++i) {
    all.emplace_back([&, i] {
      std::function<void()> work;
      keep_failure([&] { work = prepare(i); });
      together.arrive_and_wait();
      if (work) keep_failure(work);
      together.arrive_and_wait();
    });
  }
  together.arrive_and_wait();
  const stopwatch clock;
  together.arrive_and_wait();
  const double seconds = clock.seconds();
  for (std::thread& one : all) one.join();
  if (failure) std::rethrow_exception(failure);
  return seconds;
}

byte_view part_of(byte_view all, std::size_t part, std::size_t parts) {
  const std::uint64_t begin = all.size * part / parts;
  return {all.data + begin, all.size * (part + 1) / parts - begin};
}

void queue_copy(char* to, const char* from, std::uint64_t bytes, const gpu::stream& on) {
  gpu::check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, on.get()), "a bare copy");
}

constexpr std::uint64_t locked_piece = std::uint64_t{64} << 20;
constexpr std::uint64_t fed_piece = std::uint64_t{2} << 20;

/// Device memory of one thread. Each piece that the thread copies overwrites the piece before.
struct target {
  explicit target(std::uint64_t size) : bytes(size, on) { on.wait(); }
  gpu::stream on;
  gpu::device_buffer bytes;
};

/// Two page-locked buffers that one thread fills in turn.
struct staging_buffers {
  target to{fed_piece};
  std::array<gpu::pinned_buffer, 2> buffers{gpu::pinned_buffer(fed_piece), gpu::pinned_buffer(fed_piece)};
  std::array<gpu::event, 2> read;

  void send(byte_view piece, std::size_t turn) {
    read[turn % 2].wait();
    std::memcpy(buffers[turn % 2].as<char>(), piece.data, piece.size);
    queue_copy(to.bytes.as<char>(), buffers[turn % 2].as<char>(), piece.size, to.on);
    read[turn % 2].record(to.on);
  }
};

}  // namespace

double time_locked_copies(const std::vector<int>& gpus, byte_view locked) {
  return seconds_together(static_cast<unsigned>(gpus.size()), [&](unsigned i) {
    gpu::use_gpu(gpus[i]);
    const auto to = std::make_shared<target>(locked_piece);
    return [to, part = part_of(locked, i, gpus.size())] {
      for (std::uint64_t at = 0; at < part.size; at += locked_piece) {
        queue_copy(to->bytes.as<char>(), part.data + at, std::min(locked_piece, part.size - at), to->on);
      }
      to->on.wait();
    };
  });
}

double time_staged_copies(const std::vector<int>& gpus, byte_view memory, unsigned threads) {
  // For each GPU, the number of bytes of its part that threads have claimed so far.
  std::vector<std::atomic<std::uint64_t>> taken(gpus.size());
  return seconds_together(static_cast<unsigned>(gpus.size()) * threads, [&](unsigned i) {
    const std::size_t gpu = i % gpus.size();
    gpu::use_gpu(gpus[gpu]);
    const auto through = std::make_shared<staging_buffers>();
    return [through, &mine = taken[gpu], part = part_of(memory, gpu, gpus.size())] {
      std::size_t turn = 0;
      for (std::uint64_t at = 0; (at = mine.fetch_add(fed_piece)) < part.size; ++turn)
        through->send({part.data + at, std::min(fed_piece, part.size - at)}, turn);
      through->to.on.wait();
    };
  });
}

}  // namespace duomap::apps
