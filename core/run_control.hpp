// What a run and the outside share while it is going on: a request to stop, and how far it is.
#pragma once

#include "core/config.hpp"
#include "core/error.hpp"

#include <atomic>
#include <cstdint>

namespace duomap {

/// Lives as long as the run that was given it. Any thread may read any field at any time; nothing is
/// published through them, so relaxed order is enough for all of them.
struct run_control {
  /// Written by code that wants the run to end (the program's signal handler, another thread), never by the
  /// run. Workers read it between leaves; the run then throws `interrupted` and gives no result.
  std::atomic<bool> cancelled{false};

  /// Written by the run before its first unit: what `units_done` is going to be at its end; 0 when that is
  /// unknown (streams, compressed files, iterative jobs until they end).
  std::atomic<std::uint64_t> units_total{0};

  /// Added to by the run's workers after each chunk, hence on a cache line of its own; by an iterative job
  /// after each step, of which each counts all its data. Never exceeds `units_total` when that is known.
  alignas(cache_separation) std::atomic<std::uint64_t> units_done{0};

  /// Of these, what GPUs have done. Read after `units_done` it may be ahead of it.
  std::atomic<std::uint64_t> gpu_units_done{0};
};

// A signal handler may only touch atomics that take no lock.
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<std::uint64_t>::is_always_lock_free);

/// Whether the run has been asked to end; without a control it never is.
[[nodiscard]] inline bool is_cancelled(const run_control* control) noexcept {
  return control != nullptr && control->cancelled.load(std::memory_order_relaxed);
}

/// @throws interrupted when it has
inline void stop_if_cancelled(const run_control* control) {
  if (is_cancelled(control)) throw interrupted();
}

}  // namespace duomap
