// A profile as a text file: lines of words, with a checksum.
#pragma once

#include "scheduler/profile/profile_words.hpp"
#include "scheduler/profile/task_profile.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace duomap::scheduler {

/// What tells profiles apart.
struct profile_key {
  /// What the profile is of: the task's name, its parameters, where its data are. Another task, another
  /// profile.
  std::string task;
  profile_facts facts;
};

/// Whether no fact that both know has two values. What only one of them knows is about executors that the
/// other had not: a run without GPUs and one with them share what is known of the CPU.
[[nodiscard]] bool agree(const std::vector<std::pair<std::string, std::string>>& one,
                         const std::vector<std::pair<std::string, std::string>>& other);

/// A profile and what it was measured with.
struct profile_entry {
  profile_key key;
  task_profile profile;
};

/// Version 1. Names may hold any bytes; numbers survive exactly.
[[nodiscard]] std::string to_text(const profile_entry& entry);

/// The entry; nothing when the text is not exactly what to_text() of this version makes (another version, cut
/// off, changed).
[[nodiscard]] std::optional<profile_entry> parse_profile(std::string_view text);

}  // namespace duomap::scheduler
