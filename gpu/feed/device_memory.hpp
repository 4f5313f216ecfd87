// Whether memory is a GPU's.
// host only
#pragma once

#include <optional>

namespace duomap::gpu {

/// The GPU (device_info::index) in whose memory `at` lies; nothing of memory of the host, page-locked or not.
/// Memory that CUDA manages counts as its GPU's. Starts CUDA.
/// @throws what gpu/runtime/error.hpp says
[[nodiscard]] std::optional<int> gpu_of(const void* at);

/// Waits until a GPU has done all that is queued on one of its streams: 1 is the legacy default stream, 2
/// that of a thread, for which all of the device is waited for, and other numbers are handles (cudaStream_t).
/// @throws what gpu/runtime/error.hpp says
void wait_for_stream(int device, unsigned long long stream);

}  // namespace duomap::gpu
