// Starts the GPUs of a process in the background.
// host only
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace duomap::gpu {

enum class background_start { going_on, ended, no_device };

/// Begins a start on a thread of its own. The start finds the GPUs, makes contexts on GPUs of `only` (empty:
/// any GPU) until `most` GPUs have one, and allocates a run's first page-locked memory. A later call begins a
/// new start only if the last start has ended and more GPUs are wanted. Returns the state of the start. Any
/// thread may call it.
background_start start_in_background(std::span<const int> only, std::size_t most);

/// Lets the process end safely after start_in_background(), because the driver cannot be shut down while it
/// starts. A call on the main thread makes the end of that thread wait. A call on any other thread waits
/// until the GPUs are found. Any thread may call it.
void leave_background();

/// Estimates the seconds until the start ends; nothing if no start is under way.
[[nodiscard]] std::optional<double> start_seconds_left() noexcept;

/// The seconds from the call that began the start to the first GPU's context; 0 if the start has made none.
[[nodiscard]] double background_start_seconds() noexcept;

}  // namespace duomap::gpu
