// Writes the machine's profile for people and for programs.
// host only
#pragma once

#include "scheduler/history/machine_profile.hpp"

#include <string>
#include <vector>

namespace duomap::apps {

/// The output of `duomap calibrate`.
struct machine_summary {
  scheduler::machine_profile profile;
  std::string stored_in;           ///< path of the profile; empty when it was not stored
  std::vector<std::string> notes;  ///< sentences that say why there is no GPU or why nothing was stored
};

/// The summary in Markdown: a heading and tables for each part, then the notes.
[[nodiscard]] std::string machine_text(const machine_summary& summary);

/// The summary as one JSON object on one line, with a line end. Each value is in the unit of its term.
[[nodiscard]] std::string machine_json(const machine_summary& summary);

}  // namespace duomap::apps
