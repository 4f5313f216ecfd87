// Writes the recipe that makes a program of a task's header.
// host only
#pragma once

#include "apps/build_cache/build.hpp"
#include "apps/commands/own_task/toolkit.hpp"

#include <string>
#include <vector>

namespace duomap::apps {

/// Makes the program of the task `name` in the header, with the options of `duomap run`. `content`: the text
/// of the header. `gpus`: the GPUs of this machine. The program gets code for them; without GPUs it gets no
/// GPU code.
[[nodiscard]] build_recipe program_of(const task_toolkit& kit, const std::string& header,
                                      const std::string& content, const std::string& name,
                                      const std::vector<std::string>& gpus);

}  // namespace duomap::apps
