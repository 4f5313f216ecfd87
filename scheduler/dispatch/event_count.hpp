// Workers that have nothing to do wait for a change (an event count).
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace duomap::scheduler {

/// A count of changes that can be waited for. A thread reads the count, looks at what may change, and then
/// waits for a count other than the one it read, so that no change in between is missed. Any thread may call
/// any method. notify() is called when a device commits, fails or is asked for help: a few times a second, so
/// a mutex is no burden there. Every worker reads the count before every step, without it.
class event_count {
 public:
  /// Acquire, and release in notify(): a thread that reads the new count sees the change that was counted.
  [[nodiscard]] std::uint64_t count() const noexcept { return count_.load(std::memory_order_acquire); }

  void notify() {
    {
      // Under the mutex, so that no thread that has looked and not yet begun to wait misses it.
      const std::lock_guard lock(mutex_);
      count_.fetch_add(1, std::memory_order_release);
    }
    changed_.notify_all();
  }

  /// Returns when the count is no longer `count`, or after `seconds`.
  void wait(std::uint64_t count, double seconds) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, std::chrono::duration<double>(seconds), [&] { return this->count() != count; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::atomic<std::uint64_t> count_{0};
};

}  // namespace duomap::scheduler
