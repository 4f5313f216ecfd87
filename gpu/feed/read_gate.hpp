// Stops all reading of input for a device that has timed out. The thread that finds the timeout waits here
// until no other thread reads.
// host only
#pragma once

#include "core/error.hpp"

#include <atomic>
#include <mutex>
#include <shared_mutex>

namespace duomap::gpu {

/// All threads that read input for one device pass this gate, and so do all that write outside the memory of
/// the device's backend (gpu/engines/custom/placed_output.cuh). Any thread may call any method.
class read_gate {
 public:
  /// Calls read(). Any number of threads may do so at the same time.
  /// @throws device_lost, without calling read(), if the gate is closed; any exception of read()
  template <class Read>
  void pass(const Read& read) {
    const std::shared_lock reading(mutex_);
    // Relaxed order is enough: for a thread that enters after close(), the mutex orders the value. A thread
    // that sees the value earlier only ends earlier.
    if (closed_.load(std::memory_order_relaxed)) throw device_lost("the device has timed out");
    read();
  }

  /// Lets no read() begin from now on, and returns when all read() calls that had begun have returned.
  void close() {
    // Set before the lock is taken, so that no new reader comes. A shared mutex may prefer readers.
    closed_.store(true, std::memory_order_relaxed);
    const std::unique_lock nobody_reads(mutex_);
  }

 private:
  std::shared_mutex mutex_;
  std::atomic<bool> closed_{false};
};

}  // namespace duomap::gpu
