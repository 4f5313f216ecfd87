// Runs many short loops, one after another, on workers that stay awake between them.
// host only
#pragma once

#include "core/config.hpp"
#include "core/worker_pool.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <thread>

namespace duomap {

/// Runs loops that each take less time than waking a thread. All loops have the same number of indices.
class short_loops {
 public:
  /// Calls lead(loops) on one worker. The other workers stay awake, and help with the loops. `others`: the
  /// number of other users of the cores. While it is above 0, at most few_workers workers take part.
  template <class Lead>
  static void run(worker_pool& pool, std::uint32_t count, const std::atomic<unsigned>& others,
                  const Lead& lead) {
    short_loops loops(count);
    if (count < 2 || pool.workers() == 1) {
      lead(loops);
      return;
    }
    std::atomic<unsigned> arrived = 0;
    pool.run_workers([&](unsigned) {
      const unsigned before = arrived.fetch_add(1, std::memory_order_relaxed);
      if (before > 0) {
        while (before >= few_workers && others.load(std::memory_order_relaxed) > 0 && !loops.has_ended())
          std::this_thread::sleep_for(std::chrono::microseconds(100));
        loops.help();
        return;
      }
      const end_of_loops end{loops};
      lead(loops);
    });
  }

  /// Calls body(index), which must not throw, for all indices, and returns when all calls have returned. Only
  /// lead() may call it.
  void for_each_index(const std::function<void(std::uint32_t)>& body) {
    body_ = &body;
    done_.store(0, std::memory_order_relaxed);
    const std::uint64_t loop = (next_.load(std::memory_order_relaxed) >> 32) + 1;
    next_.store(loop << 32, std::memory_order_release);
    while (take_one()) {
    }
    while (done_.load(std::memory_order_acquire) < count_) std::this_thread::yield();
  }

 private:
  // More workers slow down copies to GPUs: while 32 workers ran loops, 3.2 GB came to two H200 up to 14 ms
  // later (decision 43).
  static constexpr unsigned few_workers = 6;

  explicit short_loops(std::uint32_t count) : count_(count), next_(count) {}

  struct end_of_loops {
    short_loops& loops;
    ~end_of_loops() { loops.ended_.store(true, std::memory_order_relaxed); }
  };

  [[nodiscard]] bool has_ended() const { return ended_.load(std::memory_order_relaxed); }

  void help() {
    while (!has_ended()) {
      if (!take_one()) std::this_thread::yield();
    }
  }

  // Takes one index; false when the loop has none left.
  bool take_one() {
    std::uint64_t next = next_.load(std::memory_order_acquire);
    do {
      if (static_cast<std::uint32_t>(next) >= count_) return false;
    } while (!next_.compare_exchange_weak(next, next + 1, std::memory_order_acquire));
    (*body_)(static_cast<std::uint32_t>(next));
    done_.fetch_add(1, std::memory_order_release);
    return true;
  }

  std::uint32_t count_;
  const std::function<void(std::uint32_t)>* body_ = nullptr;   // changes only after all calls have returned
  alignas(cache_separation) std::atomic<std::uint64_t> next_;  // low 32 bits: index; high 32: loop
  alignas(cache_separation) std::atomic<std::uint32_t> done_ = 0;
  std::atomic<bool> ended_ = false;
};

}  // namespace duomap
