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
/// any method. Every worker reads the count before every step, and each worker of a pool notifies at its end,
/// all at about the same time: so neither takes the mutex unless a thread waits. With it, sums over 1 MiB
/// took 16 workers 5 us longer.
class event_count {
 public:
  /// Acquire, and release in notify(): a thread that reads the new count sees the change that was counted.
  [[nodiscard]] std::uint64_t count() const noexcept { return count_.load(std::memory_order_acquire); }

  void notify() {
    // Of this and of wait(), in the one order of all sequentially consistent operations, either the count
    // comes first, and the waiting thread sees it, or the waiting thread, and it is seen here.
    count_.fetch_add(1, std::memory_order_seq_cst);
    if (waiting_.load(std::memory_order_seq_cst) == 0) return;
    // A thread that has looked at the count holds the mutex until it sleeps.
    { const std::lock_guard lock(mutex_); }
    changed_.notify_all();
  }

  /// Returns when the count is no longer `count`, or after `seconds`.
  void wait(std::uint64_t count, double seconds) {
    std::unique_lock lock(mutex_);
    waiting_.fetch_add(1, std::memory_order_seq_cst);
    changed_.wait_for(lock, std::chrono::duration<double>(seconds),
                      [&] { return count_.load(std::memory_order_seq_cst) != count; });
    waiting_.fetch_sub(1, std::memory_order_relaxed);
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::atomic<std::uint64_t> count_{0};
  std::atomic<unsigned> waiting_{0};  // threads in wait()
};

}  // namespace duomap::scheduler
