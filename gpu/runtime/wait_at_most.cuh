// Waiting for a stream whose device may hang. For host code; needs CUDA's headers.
#pragma once

#include "gpu/runtime/check.cuh"
#include "gpu/runtime/stream.cuh"

#include <cuda_runtime_api.h>

#include <chrono>
#include <thread>

namespace duomap::gpu {

/// Waits for everything queued so far, so many seconds at most; returns whether it has ended.
[[nodiscard]] inline bool wait_at_most(const stream& on, double seconds) {
  // Not asleep, as CUDA itself waits where cores are free: steps of iterative jobs take microseconds.
  constexpr double worth_sleeping = 0.1;
  const auto begin = std::chrono::steady_clock::now();
  while (true) {
    const cudaError_t status = cudaStreamQuery(on.get());
    if (status != cudaErrorNotReady) {
      check(status, "waiting for a stream");
      return true;
    }
    static_cast<void>(cudaGetLastError());
    const double waited = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (waited >= seconds) return false;
    if (waited > worth_sleeping) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

}  // namespace duomap::gpu
