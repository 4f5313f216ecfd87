// Workers that have nothing to do wait until the bell rings.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace duomap::scheduler {

/// A count of changes that can be waited for. Who looks at what may change first notes how often the bell has
/// rung, so that no ring between looking and waiting is missed. Any thread may call any method. It is rung
/// when a device commits, fails or is asked for help: a few times a second, so a mutex is no burden there.
/// Every worker reads the count before every step, without it.
class bell {
 public:
  /// Acquire, and release in ring(): who reads a ring sees the change that it was rung for.
  [[nodiscard]] std::uint64_t rung() const noexcept { return rung_.load(std::memory_order_acquire); }

  void ring() {
    {
      // Under the mutex, so that nobody who has looked and not yet begun to wait misses it.
      const std::lock_guard lock(mutex_);
      rung_.fetch_add(1, std::memory_order_release);
    }
    changed_.notify_all();
  }

  /// Returns when the bell has rung more than `rung` times, or after `seconds`.
  void wait(std::uint64_t rung, double seconds) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, std::chrono::duration<double>(seconds), [&] { return this->rung() != rung; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::atomic<std::uint64_t> rung_{0};
};

}  // namespace duomap::scheduler
