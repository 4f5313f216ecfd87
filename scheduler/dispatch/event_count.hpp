// Lets idle workers wait for a change (an event count).
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace duomap::scheduler {

/// Counts changes, and lets threads wait for the next one. A thread reads the count, looks at the state that
/// may change, and then waits for a different count. So it misses no change in between. Any thread may call
/// any method. Every worker reads the count before every step, and all workers of a pool notify at about the
/// same time, at their end. So no method takes the mutex unless a thread waits: with the mutex, sums over 1
/// MiB took 16 workers 5 us longer.
class event_count {
 public:
  /// The load is acquire and notify() releases. So a thread that reads the new count also sees the change.
  [[nodiscard]] std::uint64_t count() const noexcept { return count_.load(std::memory_order_acquire); }

  void notify() {
    // All sequentially consistent operations have one order. Either this increment comes before wait() reads
    // the count, so wait() sees it. Or wait() comes first, so this thread sees a waiting thread.
    count_.fetch_add(1, std::memory_order_seq_cst);
    if (waiting_.load(std::memory_order_seq_cst) == 0) return;
    // A thread in wait() that has looked at the count holds the mutex until it sleeps. So locking the mutex
    // waits until that thread can be woken.
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
  std::atomic<unsigned> waiting_{0};  // the number of threads in wait()
};

}  // namespace duomap::scheduler
