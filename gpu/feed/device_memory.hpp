// Finds the GPU that owns memory, and waits for a GPU's streams.
// host only
#pragma once

#include <optional>

namespace duomap::gpu {

/// Returns the GPU (device_info::index) in whose memory `at` lies, or nothing for host memory, page-locked or
/// not. Memory that CUDA manages counts as its GPU's. Starts CUDA.
/// @throws the errors of gpu/runtime/error.hpp
[[nodiscard]] std::optional<int> gpu_of(const void* at);

/// Waits until a GPU has done all work that is queued on one of its streams. `stream` is 1 for the legacy
/// default stream, 2 for the default stream of a thread (this waits for the whole device), or a handle
/// (cudaStream_t).
/// @throws the errors of gpu/runtime/error.hpp
void wait_for_stream(int device, unsigned long long stream);

}  // namespace duomap::gpu
