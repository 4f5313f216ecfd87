// Declares the figures and explanations of a run that are not in its report.
// host only
#pragma once

#include "core/iterative_report.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace duomap::apps {

/// Named numbers or words about a run.
using run_figures = std::vector<std::pair<std::string, std::variant<std::uint64_t, double, std::string>>>;

/// The explanations that a job gives.
struct run_explanation {
  std::vector<std::string> lines = {};  ///< lines about steps; empty: use scheduler::explain(run_report)
  std::vector<std::string> input = {};  ///< lines on how the input was understood, in front of the others
  std::optional<step_account> account = std::nullopt;
};

[[nodiscard]] run_explanation explanation_of_steps(const iterative_report& steps);

/// The note for a user who asked for deterministic results of a task that always has them.
inline constexpr std::string_view exact_task_note =
    "--deterministic changes nothing: this task has no floating point";

}  // namespace duomap::apps
