// Writes the outcome of calibrating an application, for people and for programs.
// host only
#pragma once

#include "apps/commands/calibrate/task_model.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace duomap::apps {

/// The output of `duomap calibrate APP`.
struct task_calibration {
  std::string task;
  std::uint64_t input_units = 0;           ///< bytes of the input that can be cut into parts
  bool ran_all = true;                     ///< the largest part is the whole input
  std::vector<calibration_series> alone;   ///< the CPU alone, then the GPUs alone
  std::optional<calibration_series> both;  ///< CPU and GPUs together; nothing without a GPU
  std::string stored_in;                   ///< folder of the profile; empty when it was not stored
  std::vector<std::string> notes;          ///< a sentence each
};

/// The outcome in Markdown: the models, which are fitted to all parts but the largest, their predictions for
/// the largest part, the shares, and the notes.
[[nodiscard]] std::string calibration_text(const task_calibration& found);

/// The outcome as one JSON object on one line, with a line end.
[[nodiscard]] std::string calibration_json(const task_calibration& found);

}  // namespace duomap::apps
