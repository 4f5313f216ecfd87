// Copies an engine's results to ordinary host memory.
#pragma once

#include "gpu/runtime/stream.cuh"

#include <cstdint>
#include <initializer_list>
#include <vector>

namespace duomap::gpu {

struct device_bytes {
  void* to;
  const void* from;
  std::uint64_t bytes;
};

/// Copies the ranges to the host after all work that is queued on the stream, and waits. The copying threads
/// stay on `cores` (gpu/engines/to_host.cuh).
void bring_to_host(std::initializer_list<device_bytes> all, std::vector<unsigned> cores, const stream& on);

}  // namespace duomap::gpu
