// Writes and reads a task's profile as text: lines of words, with a checksum.
#pragma once

#include "scheduler/history/task_profile.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace duomap::scheduler {

/// The text of a profile, version 1. Names may hold any bytes; numbers survive exactly.
[[nodiscard]] std::string to_text(const task_profile& profile);

/// The profile; nothing when the text differs from the text that to_text() of this version makes (another
/// version, cut off, changed).
[[nodiscard]] std::optional<task_profile> parse_profile(std::string_view text);

}  // namespace duomap::scheduler
