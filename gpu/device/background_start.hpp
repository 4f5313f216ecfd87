// Starting the GPUs of a process while it does something else.
// host only
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace duomap::gpu {

enum class background_start { going_on, ended, no_device };

/// Begins to find the GPUs, to make contexts on those of `only`, or on any when that is empty, until `most`
/// have one, and the memory that a run begins with, on a thread of its own. A later call begins something
/// only if that has ended and more are wanted. Says how far the start is. Any thread may call it.
background_start start_in_background(std::span<const int> only, std::size_t most);

/// Lets the process end safely, if that was begun: the driver cannot be taken down while it starts. The end
/// of the main thread waits then; any other thread waits here until the GPUs are found. Any thread may call
/// it.
void leave_background();

/// What is left of that, in seconds, about; nothing when it does not go on.
[[nodiscard]] std::optional<double> start_seconds_left() noexcept;

/// What that took until the first GPU had its context, in seconds; 0 when none has one from there.
[[nodiscard]] double background_start_seconds() noexcept;

}  // namespace duomap::gpu
