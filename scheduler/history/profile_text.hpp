// Writes and reads a task's profile as text: lines of words, with a checksum.
#pragma once

#include "scheduler/history/task_profile.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace duomap::scheduler {

/// The text of a profile, version 1. A name may hold any bytes, and numbers keep their exact values.
[[nodiscard]] std::string to_text(const task_profile& profile);

/// Reads a profile from its text. No value: to_text() of this version would not make the same text, because
/// the text is of another version, cut off or changed.
[[nodiscard]] std::optional<task_profile> parse_profile(std::string_view text);

}  // namespace duomap::scheduler
