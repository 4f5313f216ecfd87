// Units of the grains of an iterative job.
// host only
#pragma once

#include "scheduler/dispatch/chunk_source.hpp"

#include <algorithm>
#include <cstdint>

namespace duomap::scheduler {

/// Units of these grains, of which the last may be smaller.
[[nodiscard]] inline std::uint64_t units_of(const chunk_source& data, grain_range grains) {
  const auto at = [&](std::uint32_t grain) {
    return std::min(data.addressable_units(), std::uint64_t{grain} * data.grain());
  };
  return at(grains.end) - at(grains.begin);
}

/// The last grain as a part of the others: greater than 0, at most 1.
[[nodiscard]] inline double last_grain(const chunk_source& data) {
  const std::uint64_t beyond = data.addressable_units() % data.grain();
  return beyond == 0 ? 1 : static_cast<double>(beyond) / static_cast<double>(data.grain());
}

}  // namespace duomap::scheduler
