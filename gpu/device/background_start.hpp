// Starting the GPUs of a process while it does something else.
// host only
#pragma once

namespace duomap::gpu {

enum class background_start { going_on, ended, no_device };

/// Begins to find the GPUs and to make a context on each, on a thread of its own; later calls begin nothing.
/// Says how far that is. Any thread may call it.
background_start start_in_background();

/// Returns when the GPUs are found, if that was begun: a process must not end before, because the driver
/// cannot be taken down while it starts. From then on its end waits by itself. Any thread may call it.
void wait_until_discovered();

/// Whether that goes on.
[[nodiscard]] bool is_starting();

/// What that took until the first GPU had its context, in seconds; 0 when none has one from there.
[[nodiscard]] double background_start_seconds() noexcept;

/// About how long until a GPU has its context, in seconds, whether it is being started or not; 0 when it has
/// one. Any thread may call it.
[[nodiscard]] double seconds_until_started(int device_index);

}  // namespace duomap::gpu
