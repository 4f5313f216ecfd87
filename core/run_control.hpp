// The state that a run and its caller share during the run: a request to cancel, and the progress.
#pragma once

#include "core/config.hpp"
#include "core/error.hpp"

#include <atomic>
#include <cstdint>

namespace duomap {

/// Must live as long as the run that uses it. Any thread may read any field at any time. Relaxed order is
/// enough, because the fields protect no other data.
struct run_control {
  /// The program's signal handler or another thread sets it to end the run; the run never sets it. Workers
  /// read it between pieces of work. The run then throws `interrupted` and gives no result.
  std::atomic<bool> cancelled{false};

  /// The value that `units_done` will have at the end, set before the first unit. It is 0 if nobody knows it:
  /// for streams and compressed files, and for iterative jobs until they end.
  std::atomic<std::uint64_t> units_total{0};

  /// Workers add to it after each chunk, so it has a cache line of its own. An iterative job adds all its
  /// data after each step. It never exceeds `units_total`, unless that is 0.
  alignas(cache_separation) std::atomic<std::uint64_t> units_done{0};

  /// The units of `units_done` that GPUs have done. Read after `units_done`, it may be the larger number.
  std::atomic<std::uint64_t> gpu_units_done{0};
};

// A signal handler may use only atomics without a lock.
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<std::uint64_t>::is_always_lock_free);

/// Whether the run has been cancelled. Without a control it never is.
[[nodiscard]] inline bool is_cancelled(const run_control* control) noexcept {
  return control != nullptr && control->cancelled.load(std::memory_order_relaxed);
}

/// @throws interrupted when the run has been cancelled
inline void stop_if_cancelled(const run_control* control) {
  if (is_cancelled(control)) throw interrupted();
}

}  // namespace duomap
