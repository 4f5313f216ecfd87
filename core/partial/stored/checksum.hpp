// The checksum of stored partials.
// host only
#pragma once

#include "core/byte_view.hpp"

#include <cstdint>

namespace duomap {

/// XXH3 with 64 bits and seed 0, as the library xxHash defines it.
[[nodiscard]] std::uint64_t checksum_of(byte_view bytes) noexcept;

}  // namespace duomap
