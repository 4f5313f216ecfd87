// Waits for a stream whose device may hang. For host code; needs CUDA's headers.
#pragma once

#include "gpu/runtime/check.cuh"
#include "gpu/runtime/stream.cuh"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <chrono>
#include <concepts>
#include <thread>

namespace duomap::gpu {

/// For a stream whose end only the driver can report.
struct only_driver_knows {
  bool operator()() const { return false; }
};

/// Waits for all work queued so far, but at most `seconds` seconds. Returns whether the work has ended.
/// told() may know the end sooner than the driver. The driver is still asked, because only it knows of
/// errors, but an answer takes a microsecond: it is asked each time that the wait has doubled.
template <class Told = only_driver_knows>
[[nodiscard]] bool wait_at_most(const stream& on, double seconds, const Told& told = {}) {
  // Polls at first, because steps of iterative jobs take microseconds.
  constexpr double worth_sleeping = 0.1;
  const auto begin = std::chrono::steady_clock::now();
  double next_question = 0;
  while (!told()) {
    const double waited = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (waited < next_question && waited < seconds) continue;
    const cudaError_t status = cudaStreamQuery(on.get());
    if (status != cudaErrorNotReady) {
      check(status, "waiting for a stream");
      return true;
    }
    static_cast<void>(cudaGetLastError());
    if (waited >= seconds) return false;
    if (waited > worth_sleeping) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if constexpr (!std::same_as<Told, only_driver_knows>)
      next_question = std::min(2 * waited, worth_sleeping);
  }
  return true;
}

}  // namespace duomap::gpu
