// Cuts loops over many rows into ranges, which workers take.
// host only
#pragma once

#include "core/run_control.hpp"
#include "core/worker_pool.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace duomap {

/// The workers of `pool` call body(begin, end) at the same time, for ranges of at most `grain` > 0 indices
/// that together are [0, count).
/// @throws interrupted when the run is cancelled meanwhile
template <class Body>
void for_each_range(worker_pool& pool, std::uint64_t count, std::uint64_t grain, const run_control* control,
                    const Body& body) {
  pool.for_each_index((count + grain - 1) / grain, [&](std::uint64_t range) {
    stop_if_cancelled(control);
    body(range * grain, std::min(count, (range + 1) * grain));
  });
}

/// Lowers `least` to `value` if that is smaller. So `least` becomes the first range with a problem, in
/// whatever order threads find them.
inline void keep_smaller(std::atomic<std::uint64_t>& least, std::uint64_t value) {
  std::uint64_t known = least.load(std::memory_order_relaxed);
  while (value < known && !least.compare_exchange_weak(known, value, std::memory_order_relaxed)) {
  }
}

/// The number of rows of `row_bytes` bytes in a range: about 256 KiB, enough to be worth an atomic increment.
[[nodiscard]] inline std::uint64_t rows_per_range(std::uint64_t row_bytes) {
  return std::max<std::uint64_t>(1, (std::uint64_t{256} << 10) / std::max<std::uint64_t>(1, row_bytes));
}

}  // namespace duomap
