// The thread that times a device out waits here until no other reads the input, or writes placed output, for
// it.
// host only
#pragma once

#include "core/error.hpp"

#include <atomic>
#include <mutex>
#include <shared_mutex>

namespace duomap::gpu {

/// All reading of input for one device passes it, and all writing to places that are not its backend's own
/// (gpu/engines/custom/placed_output.cuh). Any thread may call any method.
class read_gate {
 public:
  /// Calls read(), as many at once as there are callers.
  /// @throws device_lost instead when the gate is closed; what read() throws
  template <class Read>
  void pass(const Read& read) {
    const std::shared_lock reading(mutex_);
    // Relaxed: the mutex orders it for those that come after close(); a thread that sees it sooner ends
    // sooner.
    if (closed_.load(std::memory_order_relaxed)) throw device_lost("the device has timed out");
    read();
  }

  /// No read() begins from now on; returns when those that had begun have returned.
  void close() {
    // Before the lock, so that a stream of readers, which a shared mutex may prefer, runs dry.
    closed_.store(true, std::memory_order_relaxed);
    const std::unique_lock nobody_reads(mutex_);
  }

 private:
  std::shared_mutex mutex_;
  std::atomic<bool> closed_{false};
};

}  // namespace duomap::gpu
