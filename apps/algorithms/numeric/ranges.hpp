// Loops over many rows, cut into ranges that the workers take.
// host only
#pragma once

#include "core/run_control.hpp"
#include "core/worker_pool.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace duomap {

/// Calls body(begin, end) for ranges of at most `grain` > 0 indices that make up [0, count).
/// @throws interrupted when the run is cancelled meanwhile
template <class Body>
void for_each_range(worker_pool& pool, std::uint64_t count, std::uint64_t grain, const run_control* control,
                    const Body& body) {
  pool.for_each_index((count + grain - 1) / grain, [&](std::uint64_t range) {
    stop_if_cancelled(control);
    body(range * grain, std::min(count, (range + 1) * grain));
  });
}

/// Makes `least` the smaller of what it is and `value`: the first range with a problem, whichever thread
/// finds one first.
inline void keep_smaller(std::atomic<std::uint64_t>& least, std::uint64_t value) {
  std::uint64_t known = least.load(std::memory_order_relaxed);
  while (value < known && !least.compare_exchange_weak(known, value, std::memory_order_relaxed)) {
  }
}

/// Rows of `row_bytes` bytes that are worth an atomic increment: about 256 KiB of them.
[[nodiscard]] inline std::uint64_t rows_per_range(std::uint64_t row_bytes) {
  return std::max<std::uint64_t>(1, (std::uint64_t{256} << 10) / std::max<std::uint64_t>(1, row_bytes));
}

}  // namespace duomap
