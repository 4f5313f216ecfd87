// Makes the runs for tests with faults of a GPU: all applications, with their inputs.
#pragma once

#include "tests/core/input/support.hpp"

#include <string>
#include <vector>

namespace duomap::test {

void write_inputs(const temporary_folder& folder);

/// The arguments of `duomap run` without the devices. Some runs write "result"; svmtrain also writes "model".
/// An application keeps its options from run to run, so all its runs have the same options.
[[nodiscard]] std::vector<std::vector<std::string>> all_applications();

}  // namespace duomap::test
