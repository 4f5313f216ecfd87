// Workers that have nothing to do wait until the bell rings.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace duomap::scheduler {

/// A count of changes that can be waited for. Who looks at what may change first notes how often the bell has
/// rung, so that no ring between looking and waiting is missed. Any thread may call any method. It is rung
/// when a device commits, fails or is asked for help: a few times a second, so a mutex is no burden.
class bell {
 public:
  [[nodiscard]] std::uint64_t rung() const {
    const std::lock_guard lock(mutex_);
    return rung_;
  }

  void ring() {
    {
      const std::lock_guard lock(mutex_);
      ++rung_;
    }
    changed_.notify_all();
  }

  /// Returns when the bell has rung more than `rung` times, or after `seconds`.
  void wait(std::uint64_t rung, double seconds) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, std::chrono::duration<double>(seconds), [&] { return rung_ != rung; });
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t rung_ = 0;  // guarded by mutex_
};

}  // namespace duomap::scheduler
