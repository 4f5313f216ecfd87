// Copies results from a device to ordinary host memory.
#pragma once

#include "core/kept_thread.hpp"
#include "gpu/runtime/buffer.cuh"
#include "gpu/runtime/stream.cuh"

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace duomap::gpu {

/// A ring of page-locked buffers that the link fills and threads empty; the threads start with the first
/// large copy. One thread would be slower than the link, because it touches the target memory for the first
/// time. Used by one thread, whose current device must be the streams' device.
class to_host {
 public:
  /// `cores`: CPUs that the threads stay on; empty: all CPUs.
  explicit to_host(std::vector<unsigned> cores) : cores_(std::move(cores)) {}
  to_host(const to_host&) = delete;
  to_host& operator=(const to_host&) = delete;
  /// Waits until the device has written all queued pieces, because it still writes to their buffers. Pieces
  /// that no thread has taken are not copied on to their targets.
  ~to_host();

  /// Queues the copy of `bytes` bytes behind the earlier work of the stream. Later work of the stream may
  /// overwrite the bytes on the device. The bytes are on the host when wait() has returned.
  void copy(void* to, const void* from, std::uint64_t bytes, const stream& on);

  /// Waits for all copies that copy() has queued. Throws the first failure.
  void wait();

 private:
  struct piece {
    std::unique_ptr<pinned_buffer> buffer;
    event arrived;
    char* to = nullptr;
    std::uint64_t bytes = 0;
  };

  void start();
  void work();
  [[nodiscard]] std::unique_ptr<piece> take_idle();

  std::vector<unsigned> cores_;
  int device_ = 0;
  std::mutex mutex_;
  std::condition_variable queued_;   // a piece was queued, or the threads should end
  std::condition_variable emptied_;  // a piece was emptied
  // Guarded by mutex_.
  std::deque<std::unique_ptr<piece>> on_its_way_;
  std::vector<std::unique_ptr<piece>> idle_;
  std::exception_ptr failure_;
  unsigned in_use_ = 0;  // pieces that copy() has taken and no thread has emptied yet
  bool ending_ = false;
  std::vector<kept_thread> threads_;
};

}  // namespace duomap::gpu
