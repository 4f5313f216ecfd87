// Compiles the header of a task to a program.
// host only
#pragma once

#include "apps/commands/own_task/toolkit.hpp"
#include "core/run_control.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace duomap::apps {

/// What a compiler says it has read (-MMD): the names behind the target, as make understands them.
[[nodiscard]] std::vector<std::string> parse_dependencies(const std::string& text);

/// Leaves `program` in `folder`: the task `name` of the header, with the options of `duomap run`. What the
/// compiler says goes to standard error. `with_gpu`: with code for the GPUs of this machine.
/// Returns the absolute paths of the files that were read and are not duomap's or the system's, the header
/// first.
/// @throws input_error when the header does not compile; interrupted
[[nodiscard]] std::vector<std::string> compile_task(const task_toolkit& kit, const std::string& header,
                                                    const std::string& name, bool with_gpu,
                                                    const std::filesystem::path& folder,
                                                    const run_control& control);

}  // namespace duomap::apps
