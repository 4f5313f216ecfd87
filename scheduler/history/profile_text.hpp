// A task's profile as a text file: lines of words, with a checksum.
#pragma once

#include "scheduler/history/task_profile.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace duomap::scheduler {

/// Version 1. Names may hold any bytes; numbers survive exactly.
[[nodiscard]] std::string to_text(const task_profile& profile);

/// The profile; nothing when the text is not exactly what to_text() of this version makes (another version,
/// cut off, changed).
[[nodiscard]] std::optional<task_profile> parse_profile(std::string_view text);

}  // namespace duomap::scheduler
