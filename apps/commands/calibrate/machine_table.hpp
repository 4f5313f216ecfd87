// The machine's profile for people and for programs.
// host only
#pragma once

#include "scheduler/history/machine_profile.hpp"

#include <string>
#include <vector>

namespace duomap::apps {

/// What `duomap calibrate` has to say.
struct machine_summary {
  scheduler::machine_profile profile;
  std::string stored_in;           ///< path of the profile; empty when it was not stored
  std::vector<std::string> notes;  ///< why there is no GPU, why nothing was stored: each a sentence
};

/// Markdown: a heading and tables for each part, then the notes.
[[nodiscard]] std::string machine_text(const machine_summary& summary);

/// One JSON object on one line, with a line end. Values are in the unit that their term has.
[[nodiscard]] std::string machine_json(const machine_summary& summary);

}  // namespace duomap::apps
