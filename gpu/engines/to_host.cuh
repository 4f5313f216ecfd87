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

/// A ring of page-locked buffers that the link fills and some threads empty, made when first needed: memory
/// that is touched for the first time takes one thread longer than the link. Used by one thread, with the
/// device current that its streams are on.
class to_host {
 public:
  /// `cores`: CPUs that the threads stay on; empty: all.
  explicit to_host(std::vector<unsigned> cores) : cores_(std::move(cores)) {}
  to_host(const to_host&) = delete;
  to_host& operator=(const to_host&) = delete;
  /// Waits for the link; what no thread has begun to copy is dropped.
  ~to_host();

  /// Copies `bytes` bytes behind what is queued on the stream. What is queued there afterwards may overwrite
  /// them on the device; on the host they are when wait() has returned.
  void copy(void* to, const void* from, std::uint64_t bytes, const stream& on);

  /// Waits for everything that was copied so far. Throws the first failure.
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
  std::condition_variable queued_;   // a piece, or the end
  std::condition_variable emptied_;  // a piece
  // Guarded by mutex_.
  std::deque<std::unique_ptr<piece>> on_its_way_;
  std::vector<std::unique_ptr<piece>> idle_;
  std::exception_ptr failure_;
  unsigned in_use_ = 0;  // pieces that are not idle
  bool ending_ = false;
  std::vector<kept_thread> threads_;
};

}  // namespace duomap::gpu
