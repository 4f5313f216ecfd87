// Converts the grains of an iterative job to units, and counts its progress.
#pragma once

#include "core/run_control.hpp"
#include "scheduler/dispatch/chunk_source.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace duomap::scheduler {

/// The number of units in a range of grains. The last grain of the data may be smaller.
[[nodiscard]] inline std::uint64_t units_of(const chunk_source& data, grain_range grains) {
  const auto at = [&](std::uint32_t grain) {
    return std::min(data.addressable_units(), std::uint64_t{grain} * data.grain());
  };
  return at(grains.end) - at(grains.begin);
}

/// The size of the last grain, divided by the size of the others: greater than 0, at most 1.
[[nodiscard]] inline double last_grain(const chunk_source& data) {
  const std::uint64_t beyond = data.addressable_units() % data.grain();
  return beyond == 0 ? 1 : static_cast<double>(beyond) / static_cast<double>(data.grain());
}

/// Adds a step over all data to the progress. The pool mapped `grains_of_pool` grains, and devices the rest.
inline void count_step(run_control* control, const chunk_source& data, std::uint32_t grains_of_pool) {
  if (control == nullptr) return;
  const std::uint64_t all = data.addressable_units();
  const std::uint64_t of_devices = units_of(data, {0, data.grains() - grains_of_pool});
  control->gpu_units_done.fetch_add(of_devices, std::memory_order_relaxed);
  control->units_done.fetch_add(all, std::memory_order_relaxed);
}

}  // namespace duomap::scheduler
