// Owners of streams and events. For host code; needs CUDA's headers.
#pragma once

#include "gpu/runtime/check.cuh"
#include "gpu/runtime/release.cuh"

#include <cuda_runtime_api.h>

#include <chrono>

namespace duomap::gpu {

/// The rank of a stream: a multiprocessor that has room takes the blocks of urgent streams first.
enum class stream_rank {
  usual,
  urgent,  ///< before the blocks of usual streams, also of kernels that already run
};

/// A queue of device work, on the device that is current at construction. Independent of the default stream.
/// The destructor waits for the queued work, because that may use memory that is released next.
class stream {
 public:
  stream() : stream(stream_rank::usual) {}
  explicit stream(stream_rank rank) {
    int least = 0;
    int greatest = 0;  // lower numbers are more urgent; both 0 if the device has no priorities
    check(cudaDeviceGetStreamPriorityRange(&least, &greatest), "asking for the priorities of streams");
    check(cudaStreamCreateWithPriority(&handle_, cudaStreamNonBlocking,
                                       rank == stream_rank::urgent ? greatest : least),
          "creating a stream");
  }
  stream(const stream&) = delete;
  stream& operator=(const stream&) = delete;
  ~stream() {
    check_release(cudaStreamSynchronize(handle_), "waiting for a stream at its end");
    check_release(cudaStreamDestroy(handle_), "destroying a stream");
  }

  [[nodiscard]] cudaStream_t get() const noexcept { return handle_; }

  void wait() const { check(cudaStreamSynchronize(handle_), "waiting for a stream"); }

 private:
  cudaStream_t handle_ = nullptr;
};

/// A point in a stream. A thread that waits for it sleeps, because a device that works for milliseconds
/// should not cost a core.
class event {
 public:
  event() { check(cudaEventCreateWithFlags(&handle_, cudaEventBlockingSync), "creating an event"); }
  event(const event&) = delete;
  event& operator=(const event&) = delete;
  ~event() { check_release(cudaEventDestroy(handle_), "destroying an event"); }

  /// Records the event behind all work that is queued on `on`.
  void record(const stream& on) { check(cudaEventRecord(handle_, on.get()), "recording an event"); }

  /// Makes all work that is queued on `later` from now on wait for this event.
  void make_wait(const stream& later) const {
    check(cudaStreamWaitEvent(later.get(), handle_, 0), "ordering two streams");
  }

  /// Sleeps until the device has passed the event. An event that was never recorded has been passed.
  void wait() const { check(cudaEventSynchronize(handle_), "waiting for the device"); }

  /// Waits for the event as a thread that has a core to itself: the thread polls, and sleeps only if the wait
  /// is long. Beside 15 workers on 16 cores, a sleeping thread was woken 2 to 5 ms late, because the system
  /// gave it a busy core instead of the free one. The device was idle meanwhile.
  void watch() const {
    constexpr std::chrono::milliseconds long_enough{10};
    const auto begin = std::chrono::steady_clock::now();
    while (std::chrono::steady_clock::now() - begin < long_enough) {
      const cudaError_t status = cudaEventQuery(handle_);
      if (status != cudaErrorNotReady) return check(status, "waiting for the device");
      static_cast<void>(cudaGetLastError());
    }
    wait();
  }

  /// Seconds between two events that the device has passed.
  [[nodiscard]] double seconds_since(const event& earlier) const {
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, earlier.handle_, handle_),
          "reading the time between two events");
    return static_cast<double>(milliseconds) / 1000;
  }

 private:
  cudaEvent_t handle_ = nullptr;
};

}  // namespace duomap::gpu
