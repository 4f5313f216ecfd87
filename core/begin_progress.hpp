// Sets the total that a run's progress counts up to.
#pragma once

#include "core/run_control.hpp"

#include <cstdint>

namespace duomap {

/// Call it before the first unit of work. `more` is the number of units to be done, or 0 if nobody knows it.
/// Earlier work may have used the same `control`: its units stay counted. `control` may be null.
inline void begin_progress(run_control* control, std::uint64_t more) {
  if (control == nullptr) return;
  const std::uint64_t done = control->units_done.load(std::memory_order_relaxed);
  control->units_total.store(more == 0 ? 0 : done + more, std::memory_order_relaxed);
}

/// Call it after work of an unknown amount: sets the total to the number of units done.
inline void end_progress(run_control* control) {
  if (control == nullptr) return;
  control->units_total.store(control->units_done.load(std::memory_order_relaxed), std::memory_order_relaxed);
}

}  // namespace duomap
