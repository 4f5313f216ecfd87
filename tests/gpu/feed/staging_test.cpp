// Tests staging threads with host memory in place of a GPU.
#include "gpu/feed/staging.hpp"

#include "tests/catch.hpp"

#include <algorithm>
#include <atomic>
#include <barrier>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

namespace duomap::test::gpu_feed_staging_test {

using duomap::test::contains;

namespace {

/// A buffer that copies its bytes only when somebody waits for it, which is as late as a GPU may copy.
class late_buffer final : public gpu::staging_buffer {
 public:
  late_buffer(std::uint64_t bytes, std::atomic<unsigned>& alive) : memory_(bytes, '!'), alive_(alive) {
    ++alive_;
  }
  ~late_buffer() override { --alive_; }
  char* data() noexcept override { return memory_.data(); }
  void send(std::uint64_t bytes, char* to) override {
    wait();
    bytes_ = bytes;
    to_ = to;
  }
  void wait() override {
    if (bytes_ > 0) std::memcpy(to_, memory_.data(), bytes_);
    bytes_ = 0;
  }

 private:
  std::string memory_;
  std::uint64_t bytes_ = 0;
  char* to_ = nullptr;
  std::atomic<unsigned>& alive_;
};

class memory_target final : public gpu::staging_target {
 public:
  void enter_thread() override {
    const std::lock_guard held(mutex_);
    threads_.insert(std::this_thread::get_id());
    if (refuse_threads) throw std::runtime_error("no thread may enter");
  }
  std::unique_ptr<gpu::staging_buffer> make_buffer(std::uint64_t bytes) override {
    const std::lock_guard held(mutex_);
    largest = std::max(largest, bytes);
    if (refuse_buffers) throw std::runtime_error("no buffer to be had");
    return std::make_unique<late_buffer>(bytes, alive);
  }
  [[nodiscard]] std::size_t threads() {
    const std::lock_guard held(mutex_);
    return threads_.size();
  }

  std::atomic<unsigned> alive{0};
  std::uint64_t largest = 0;  // read only while no thread works
  bool refuse_threads = false;
  bool refuse_buffers = false;

 private:
  std::mutex mutex_;
  std::set<std::thread::id> threads_;
};

/// Copies in the order of the send() calls, but only when somebody waits, like a GPU's stream.
class stream_target final : public gpu::staging_target {
 public:
  void enter_thread() override {}
  std::unique_ptr<gpu::staging_buffer> make_buffer(std::uint64_t bytes) override {
    return std::make_unique<buffer>(*this, bytes);
  }

 private:
  class buffer final : public gpu::staging_buffer {
   public:
    buffer(stream_target& on, std::uint64_t bytes) : on_(on), memory_(bytes, '!') {}
    char* data() noexcept override { return memory_.data(); }
    void send(std::uint64_t bytes, char* to) override {
      const std::lock_guard held(on_.mutex_);
      on_.queued_.emplace_back([this, bytes, to] { std::memcpy(to, memory_.data(), bytes); });
      sent_ = ++on_.sent_;
    }
    void wait() override {
      const std::lock_guard held(on_.mutex_);
      for (; on_.copied_ < sent_; ++on_.copied_) {
        on_.queued_.front()();
        on_.queued_.pop_front();
      }
    }

   private:
    stream_target& on_;
    std::string memory_;
    std::uint64_t sent_ = 0;  // the number of this buffer's last copy
  };

  std::mutex mutex_;
  // mutex_ guards the waiting copies, and the numbers of sent and finished copies.
  std::deque<std::function<void()>> queued_;
  std::uint64_t sent_ = 0;
  std::uint64_t copied_ = 0;
};

/// Two pieces, each read in up to three parts.
gpu::staging_sizes small_pieces(std::uint64_t piece_bytes) {
  return {.piece_bytes = piece_bytes, .buffers = 2, .part_bytes = piece_bytes / 3 + 1};
}

constexpr gpu::staging_sizes usual_sizes;

void copy(const char* from, std::uint64_t bytes, char* to) { std::memcpy(to, from, bytes); }

std::string random_bytes(std::mt19937& random, std::uint64_t bytes) {
  std::string text(bytes, '\0');
  for (char& c : text) c = static_cast<char>(random());
  return text;
}

}  // namespace

TEST_CASE("staging brings every byte of many ranges to its place", "[gpu][staging]") {
  std::mt19937 random(test::seed());
  for (const unsigned threads : {1u, 2u, 5u}) {
    for (const std::uint64_t piece : {1u, 64u, 1000u}) {
      const gpu::staging_sizes sizes{.piece_bytes = piece,
                                     .buffers = 1 + static_cast<unsigned>(random() % 4),
                                     .part_bytes = 1 + random() % (2 * piece)};
      CAPTURE(threads, piece, sizes.buffers, sizes.part_bytes);
      const std::string text = random_bytes(random, 40 * piece + random() % 1000);
      std::string found(text.size(), '?');
      {
        memory_target target;
        gpu::staging all(target, threads, sizes);
        std::vector<std::shared_ptr<gpu::staging::transfer>> open;
        for (std::uint64_t at = 0; at < text.size();) {
          const std::uint64_t bytes =
              std::min<std::uint64_t>(text.size() - at, 1 + random() % (random() % 2 == 0 ? 3 : 7 * piece));
          open.push_back(all.start(text.data() + at, bytes, found.data() + at, copy));
          at += bytes;
          if (random() % 3 == 0) all.wait(*open[random() % open.size()]);
        }
        for (const auto& one : open) all.wait(*one);
        CHECK(target.threads() <= threads);
        CHECK(target.largest <= piece);
        CHECK(target.alive < sizes.buffers + threads + 1);
      }
      CHECK((found == text));
    }
  }
}

TEST_CASE("what is dropped is not read any more, and does not pass what comes after it", "[gpu][staging]") {
  std::mt19937 random(test::seed());
  for (unsigned round = 0; round < 100; ++round) {
    stream_target target;
    std::atomic<bool> begun{false};
    std::atomic<bool> dropped{false};
    std::atomic<bool> read_late{false};
    const std::string forgotten(20'000, '-');
    const std::string text = random_bytes(random, 20'000);
    std::string found(text.size(), '?');
    {
      gpu::staging all(target, 1 + random() % 4, small_pieces(1 + random() % 3000));
      const auto before = all.start(text.data(), 10'000, found.data(), copy);
      const auto one = all.start(forgotten.data(), forgotten.size(), found.data(),
                                 [&](const char* from, std::uint64_t bytes, char* to) {
                                   begun = true;
                                   for (unsigned turns = 0; turns < 10; ++turns) std::this_thread::yield();
                                   copy(from, bytes, to);
                                   if (dropped) read_late = true;
                                 });
      while (round % 2 == 0 && !begun) std::this_thread::yield();
      all.drop(*one);
      dropped = true;
      const auto after = all.start(text.data(), text.size(), found.data(), copy);
      if (random() % 2 == 0) all.wait(*before);
      all.wait(*after);
    }
    CHECK((found == text));
    CHECK_FALSE(read_late);
  }
}

TEST_CASE("a small input is carried without threads or large buffers", "[gpu][staging]") {
  memory_target target;
  std::string found(100, '?');
  {
    gpu::staging all(target, 8, usual_sizes);
    const std::string text(100, 'x');
    all.wait(*all.start(text.data(), 60, found.data(), copy));
    all.wait(*all.start(text.data(), 40, found.data() + 60, copy));
    CHECK(target.threads() == 0);
    CHECK(target.largest == std::uint64_t{1} << 20);
  }
  CHECK(found == std::string(100, 'x'));
  CHECK(target.alive == 0);
}

TEST_CASE("a range of a few MiB is carried by several threads", "[gpu][staging]") {
  memory_target target;
  const std::string text = std::string(std::size_t{5} << 20, 'x') + "end";
  std::string found(text.size(), '?');
  {
    gpu::staging all(target, 8, usual_sizes);
    all.wait(*all.start(text.data(), text.size(), found.data(), copy));
  }
  CHECK(target.threads() == 8);  // eleven parts of 512 KiB keep all eight threads busy
  CHECK(found == text);
}

TEST_CASE("threads read parts of one piece at once, into few buffers", "[gpu][staging]") {
  constexpr unsigned threads = 4;
  memory_target target;
  const std::string text(40'000, 'x');
  std::string found(text.size(), '?');
  {
    gpu::staging all(target, threads, {.piece_bytes = 4000, .buffers = 2, .part_bytes = 1000});
    std::mutex mutex;
    std::condition_variable came;
    unsigned inside = 0;
    bool all_came = false;
    all.wait(*all.start(text.data(), text.size(), found.data(),
                        [&](const char* from, std::uint64_t bytes, char* to) {
                          std::unique_lock held(mutex);
                          // No thread leaves the first piece before all threads work on it.
                          if (++inside == threads) all_came = true;
                          came.notify_all();
                          came.wait_for(held, std::chrono::seconds(60), [&] { return all_came; });
                          held.unlock();
                          copy(from, bytes, to);
                        }));
    CHECK(all_came);
    CHECK(target.alive <= 2 + threads);
  }
  CHECK(found == text);
}

TEST_CASE("a thread reads the same part of each piece", "[gpu][staging]") {
  constexpr std::uint64_t part = 64;
  constexpr unsigned threads = 4;
  const std::string text(10 * threads * part, 'x');
  std::string found(text.size(), '?');
  std::barrier all_read(threads);
  std::mutex mutex;
  std::map<std::thread::id, std::set<std::uint64_t>> parts_of;  // guarded by mutex
  memory_target target;
  gpu::staging all(target, threads, {.piece_bytes = threads * part, .buffers = 2, .part_bytes = part});
  const auto one =
      all.start(text.data(), text.size(), found.data(), [&](const char* from, std::uint64_t bytes, char* to) {
        copy(from, bytes, to);
        {
          const std::lock_guard held(mutex);
          const auto at = static_cast<std::uint64_t>(from - text.data());
          parts_of[std::this_thread::get_id()].insert(at / part % threads);
        }
        all_read.arrive_and_wait();
      });
  all.wait(*one);
  CHECK(parts_of.size() == threads);
  for (const auto& [thread, parts] : parts_of) CHECK(parts.size() == 1);
}

TEST_CASE("a thread that has lost its core stops nothing but its own piece", "[gpu][staging]") {
  memory_target target;
  const std::string text(40'000, 'x');
  std::string found(text.size(), '?');
  {
    gpu::staging all(target, 3, {.piece_bytes = 400, .buffers = 2, .part_bytes = 100});
    std::mutex mutex;
    std::condition_variable came;
    unsigned read = 0;
    bool first = true;
    bool rest_was_read = false;
    all.wait(*all.start(
        text.data(), text.size(), found.data(), [&](const char* from, std::uint64_t bytes, char* to) {
          std::unique_lock held(mutex);
          if (std::exchange(first, false)) {
            rest_was_read = came.wait_for(held, std::chrono::seconds(60), [&] { return read == 399; });
          }
          ++read;
          came.notify_all();
          copy(from, bytes, to);
        }));
    CHECK(rest_was_read);
    CHECK(target.alive <= 5);
  }
  CHECK(found == text);
}

TEST_CASE("a failure belongs to its range", "[gpu][staging]") {
  memory_target target;
  std::string found(3000, '?');
  const std::string text(3000, 'x');
  {
    gpu::staging all(target, 3, small_pieces(100));
    std::atomic<unsigned> reads{0};
    const auto failing = [&](const char* from, std::uint64_t bytes, char* to) {
      if (++reads == 4) throw std::runtime_error("the disk is gone");
      copy(from, bytes, to);
    };
    const auto before = all.start(text.data(), 1000, found.data(), copy);
    const auto broken = all.start(text.data() + 1000, 1000, found.data() + 1000, failing);
    const auto after = all.start(text.data() + 2000, 1000, found.data() + 2000, copy);
    CHECK_THROWS_WITH(all.wait(*broken), contains("the disk is gone"));
    CHECK_NOTHROW(all.wait(*before));
    CHECK_NOTHROW(all.wait(*after));
    CHECK(reads >= 4);
  }
  CHECK(found.substr(0, 1000) == text.substr(0, 1000));
  CHECK(found.substr(2000) == text.substr(2000));
}

TEST_CASE("threads and buffers that cannot be had are failures, not hangs", "[gpu][staging]") {
  const std::string text(1000, 'x');
  std::string found(1000, '?');
  memory_target no_threads;
  no_threads.refuse_threads = true;
  gpu::staging first(no_threads, 2, small_pieces(100));
  CHECK_THROWS_WITH(first.wait(*first.start(text.data(), 1000, found.data(), copy)),
                    contains("no thread may enter"));
  memory_target no_buffers;
  no_buffers.refuse_buffers = true;
  gpu::staging second(no_buffers, 2, small_pieces(100));
  CHECK_THROWS_WITH(second.wait(*second.start(text.data(), 1000, found.data(), copy)), contains("no buffer"));
  CHECK_THROWS_WITH(second.wait(*second.start(text.data(), 10, found.data(), copy)), contains("no buffer"));
  // First only a small buffer exists, and larger ones are refused. Then a small range is tried again.
  const std::string large(std::uint64_t{2} << 20, 'x');
  std::string into(large.size(), '?');
  memory_target target;
  gpu::staging third(target, 1, usual_sizes);
  for (unsigned i = 0; i < 2; ++i) third.wait(*third.start(text.data(), 10, found.data(), copy));
  target.refuse_buffers = true;
  for (const std::uint64_t bytes : {large.size(), large.size(), std::size_t{10}}) {
    CHECK_THROWS_WITH(third.start(large.data(), bytes, into.data(), copy), contains("no buffer"));
  }
  target.refuse_buffers = false;
  third.wait(*third.start(large.data(), large.size(), into.data(), copy));
}

TEST_CASE("staging ends with ranges nobody waited for", "[gpu][staging]") {
  memory_target target;
  const std::string text(100'000, 'x');
  std::string found(text.size(), '?');
  {
    gpu::staging all(target, 3, small_pieces(10));
    for (unsigned i = 0; i < 10; ++i) {
      static_cast<void>(all.start(text.data() + 10'000 * i, 10'000, found.data() + 10'000 * i, copy));
    }
  }
  CHECK(target.alive == 0);
}

TEST_CASE("threads that are not needed sleep, and what they would have carried is carried",
          "[gpu][staging]") {
  std::mt19937 random(test::seed());
  memory_target target;
  const std::string text = random_bytes(random, 3'000'000);
  std::string found(text.size(), '?');
  {
    gpu::staging all(target, 8, small_pieces(1000));
    CHECK_FALSE(all.threads_needed().has_value());
    for (std::uint64_t at = 0; at < text.size(); at += 100'000) {
      all.wait(*all.start(text.data() + at, 100'000, found.data() + at, copy));
    }
    REQUIRE(all.threads_needed().has_value());
    CHECK(*all.threads_needed() >= 1);
    CHECK(*all.threads_needed() <= 8);
  }
  CHECK((found == text));
}

}  // namespace duomap::test::gpu_feed_staging_test
