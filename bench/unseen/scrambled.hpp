// Turns a number into another one without a pattern.
#pragma once

#include "core/config.hpp"

#include <cstdint>

namespace duomap::apps::unseen {

[[nodiscard]] DUOMAP_HD constexpr std::uint32_t scrambled(std::uint32_t x) {
  x = (x ^ (x >> 16)) * 0x7FEB352Du;
  x = (x ^ (x >> 15)) * 0x846CA68Bu;
  return x ^ (x >> 16);
}

}  // namespace duomap::apps::unseen
