// Brings the bytes of a result's long keys to the host.
#pragma once

#include "core/zeroed_memory.hpp"
#include "gpu/engines/sort/scratch.cuh"
#include "gpu/engines/sort/strided_keys.cuh"
#include "gpu/engines/to_host.cuh"
#include "gpu/runtime/stream.cuh"

#include <cstdint>

namespace duomap::gpu {

/// The working memory of bring_long_keys().
struct long_key_memory {
  scratch offsets;
  scratch gathered;
  scratch temporary;
};

/// Queues the copy of the bytes of all long keys to host memory, and makes the keys point there. The copy is
/// done when host.wait() has returned. Returns null if no key is long. Waits for the stream.
[[nodiscard]] zeroed_memory bring_long_keys(const writable_keys& keys, std::uint64_t count,
                                            long_key_memory& memory, to_host& host, const stream& on);

}  // namespace duomap::gpu
