// What the progress of a run counts to.
#pragma once

#include "core/run_control.hpp"

#include <cstdint>

namespace duomap {

/// Before the first unit of work: `more` units will be done, or nobody knows how many if that is 0. What ran
/// before with the same control has counted, too. `control` may be null.
inline void begin_progress(run_control* control, std::uint64_t more) {
  if (control == nullptr) return;
  const std::uint64_t done = control->units_done.load(std::memory_order_relaxed);
  control->units_total.store(more == 0 ? 0 : done + more, std::memory_order_relaxed);
}

/// After the last unit of work whose end nobody knew: what is done is all.
inline void end_progress(run_control* control) {
  if (control == nullptr) return;
  control->units_total.store(control->units_done.load(std::memory_order_relaxed), std::memory_order_relaxed);
}

}  // namespace duomap
