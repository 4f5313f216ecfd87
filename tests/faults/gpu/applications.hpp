// Makes the runs on which faults of a GPU are tried: all applications with their inputs.
#pragma once

#include "tests/core/input/support.hpp"

#include <string>
#include <vector>

namespace duomap::test {

void write_inputs(const temporary_folder& folder);

/// The arguments of `duomap run`, without those that say where; "result" is what some write, "model" one of
/// svmtrain's. An application keeps the options of its own from run to run, so all runs of one have the same.
[[nodiscard]] std::vector<std::vector<std::string>> all_applications();

}  // namespace duomap::test
