// Brings the bytes of long keys that a result still needs to the host.
#pragma once

#include "core/zeroed_memory.hpp"
#include "gpu/engines/sort/scratch.cuh"
#include "gpu/engines/sort/strided_keys.cuh"
#include "gpu/engines/to_host.cuh"
#include "gpu/runtime/stream.cuh"

#include <cstdint>

namespace duomap::gpu {

/// What bring_long_keys() works with.
struct long_key_memory {
  scratch offsets;
  scratch gathered;
  scratch temporary;
};

/// Copies the bytes of long keys among `count` keys to host memory, where they are when host.wait() has
/// returned, and makes the keys point to them there. Null when no key is long. Waits for the stream.
[[nodiscard]] zeroed_memory bring_long_keys(const writable_keys& keys, std::uint64_t count,
                                            long_key_memory& memory, to_host& host, const stream& on);

}  // namespace duomap::gpu
