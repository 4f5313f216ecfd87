// Cuts loops over many rows into ranges, which workers take.
// host only
#pragma once

#include "core/run_control.hpp"
#include "core/worker_pool.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace duomap {

/// Cuts [0, count) into ranges of at most `grain` > 0 indices. The workers of `pool` call body(begin, end)
/// for the ranges at the same time.
/// @throws interrupted when the run is cancelled meanwhile
template <class Body>
void for_each_range(worker_pool& pool, std::uint64_t count, std::uint64_t grain, const run_control* control,
                    const Body& body) {
  pool.for_each_index((count + grain - 1) / grain, [&](std::uint64_t range) {
    stop_if_cancelled(control);
    body(range * grain, std::min(count, (range + 1) * grain));
  });
}

/// Lowers `least` to `value` if `value` is smaller. So `least` ends as the first range with a problem, in
/// whatever order threads find problems.
inline void atomic_min(std::atomic<std::uint64_t>& least, std::uint64_t value) {
  std::uint64_t known = least.load(std::memory_order_relaxed);
  while (value < known && !least.compare_exchange_weak(known, value, std::memory_order_relaxed)) {
  }
}

/// The number of rows in a range of about 256 KiB. Such a range is worth the atomic increment that takes it.
[[nodiscard]] inline std::uint64_t rows_per_range(std::uint64_t row_bytes) {
  return std::max<std::uint64_t>(1, (std::uint64_t{256} << 10) / std::max<std::uint64_t>(1, row_bytes));
}

}  // namespace duomap
