// The state that a run and its caller share during the run: a request to stop, and the progress.
#pragma once

#include "core/config.hpp"
#include "core/error.hpp"

#include <atomic>
#include <cstdint>

namespace duomap {

/// Must live as long as the run to which it was given. Any thread may read any field at any time. The fields
/// publish no other data, so relaxed order is enough.
struct run_control {
  /// Code that wants the run to end sets it (the program's signal handler, another thread); the run never
  /// does. Workers read it between pieces of work. The run then throws `interrupted` and gives no result.
  std::atomic<bool> cancelled{false};

  /// The value that `units_done` will have at the end. The run sets it before its first unit; 0 when the
  /// value is unknown (streams, compressed files, iterative jobs until they end).
  std::atomic<std::uint64_t> units_total{0};

  /// Workers add to it after each chunk, so it is on a cache line of its own. An iterative job adds all its
  /// data after each step. It never exceeds `units_total`, if that is known.
  alignas(cache_separation) std::atomic<std::uint64_t> units_done{0};

  /// The part of these units that GPUs have done. If it is read after `units_done`, it may be the larger one.
  std::atomic<std::uint64_t> gpu_units_done{0};
};

// A signal handler may only touch atomics that take no lock.
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<std::uint64_t>::is_always_lock_free);

/// Whether the run has been asked to end; without a control it never is.
[[nodiscard]] inline bool is_cancelled(const run_control* control) noexcept {
  return control != nullptr && control->cancelled.load(std::memory_order_relaxed);
}

/// @throws interrupted when the run has been asked to end
inline void stop_if_cancelled(const run_control* control) {
  if (is_cancelled(control)) throw interrupted();
}

}  // namespace duomap
