// The size from which a feeder, and not one copy, brings a device the data that stay on it.
#pragma once

#include <cstdint>

namespace duomap {

/// From this number of bytes on, the feeder is worth the start of its threads and its page-locked buffers: it
/// brings 125 MB to an H200 in 0.2 of the time that one copy from ordinary memory takes.
inline constexpr std::uint64_t feeder_threshold = std::uint64_t{64} << 20;

}  // namespace duomap
