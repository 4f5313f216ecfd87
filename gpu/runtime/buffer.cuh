// Owners of device memory and of page-locked host memory. For host code; needs CUDA's headers.
#pragma once

#include "gpu/runtime/check.cuh"
#include "gpu/runtime/release.cuh"
#include "gpu/runtime/stream.cuh"

#include <cuda_runtime_api.h>

#include <cstdint>
#include <string>
#include <utility>

namespace duomap::gpu {

/// Device memory, allocated and released in the order of a stream: work queued there before the release may
/// still use it.
class device_buffer {
 public:
  device_buffer() = default;

  /// Allocates `bytes` uninitialised bytes, aligned to 256, in memory of whole words (core/text/load.hpp).
  /// `on` must outlive the buffer.
  /// @throws device_out_of_memory
  device_buffer(std::uint64_t bytes, const stream& on) : bytes_(bytes), stream_(on.get()) {
    if (bytes == 0) return;
    check(cudaMallocAsync(&data_, (bytes + 7) / 8 * 8, stream_),
          [&] { return "allocating " + std::to_string(bytes) + " bytes of device memory"; });
  }
  device_buffer(device_buffer&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      bytes_(std::exchange(other.bytes_, 0)),
      stream_(other.stream_) {}
  device_buffer& operator=(device_buffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    std::swap(stream_, other.stream_);
    return *this;
  }
  ~device_buffer() {
    if (data_ != nullptr) check_release(cudaFreeAsync(data_, stream_), "releasing device memory");
  }

  [[nodiscard]] std::uint64_t size() const noexcept { return bytes_; }
  template <class T>
  [[nodiscard]] T* as() const noexcept {
    return static_cast<T*>(data_);
  }

 private:
  void* data_ = nullptr;
  std::uint64_t bytes_ = 0;
  cudaStream_t stream_ = nullptr;
};

/// Lets the memory pool of the current device keep released memory for the process's next buffers: up to a
/// sixteenth of the device's memory, and at least 1 GiB.
void keep_released_device_memory();

/// Page-locked host memory, which copies use at the link's full speed and without blocking. The process
/// reuses its released blocks (gpu/runtime/pinned_memory.cuh), so the contents are arbitrary.
class pinned_buffer {
 public:
  explicit pinned_buffer(std::uint64_t bytes);
  pinned_buffer(const pinned_buffer&) = delete;
  pinned_buffer& operator=(const pinned_buffer&) = delete;
  ~pinned_buffer();

  [[nodiscard]] std::uint64_t size() const noexcept { return bytes_; }
  template <class T>
  [[nodiscard]] T* as() const noexcept {
    return static_cast<T*>(data_);
  }

 private:
  std::uint64_t bytes_;
  // The block of the pool that is this buffer.
  void* data_;
  std::uint64_t block_bytes_;
  int block_kind_;
};

}  // namespace duomap::gpu
