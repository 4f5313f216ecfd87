// The progress of a step.
// host only
#pragma once

#include "core/run_control.hpp"
#include "scheduler/dispatch/chunk_source.hpp"
#include "scheduler/iterative/grain_sizes.hpp"

#include <atomic>
#include <cstdint>

namespace duomap::scheduler {

/// Adds all data, which a step has mapped: so many of its grains on the pool, the rest on devices.
inline void count_step(run_control* control, const chunk_source& data, std::uint32_t grains_of_pool) {
  if (control == nullptr) return;
  const std::uint64_t all = data.addressable_units();
  const std::uint64_t of_devices = units_of(data, {0, data.grains() - grains_of_pool});
  control->gpu_units_done.fetch_add(of_devices, std::memory_order_relaxed);
  control->units_done.fetch_add(all, std::memory_order_relaxed);
}

}  // namespace duomap::scheduler
