// What calibration found of an application, for people and for programs.
// host only
#pragma once

#include "apps/commands/calibrate/task_model.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace duomap::apps {

/// What `duomap calibrate APP` has to say.
struct task_calibration {
  std::string task;
  std::uint64_t input_units = 0;           ///< of all that could be cut into parts
  bool ran_all = true;                     ///< the largest part is all of it
  std::vector<calibration_series> alone;   ///< each device
  std::optional<calibration_series> both;  ///< all together; nothing when there is only one
  std::string stored_in;                   ///< folder of the profile; empty when it was not stored
  std::vector<std::string> notes;          ///< each a sentence
};

/// Markdown: the models, fitted to all parts but the largest, and what they say of that one; the split; the
/// notes.
[[nodiscard]] std::string calibration_text(const task_calibration& found);

/// The same as one JSON object on one line, with a line end.
[[nodiscard]] std::string calibration_json(const task_calibration& found);

}  // namespace duomap::apps
