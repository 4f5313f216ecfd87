// From which size on data that stay on a device are brought by its feeder.
#pragma once

#include <cstdint>

namespace duomap {

/// Of so much the feeder's threads are worth their start and their page-locked buffers. To an H200 they copy
/// at 50 GB/s; one copy from ordinary memory runs at 17 to 20.
inline constexpr std::uint64_t fed_resident_bytes = std::uint64_t{512} << 20;

}  // namespace duomap
