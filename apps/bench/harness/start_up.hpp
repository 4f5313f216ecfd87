// How long `duomap` takes from its start to its end on a tiny input.
// host only
#pragma once

#include "apps/bench/harness/comparison.hpp"

#include <string>
#include <vector>

namespace duomap::apps {

/// Wall-clock seconds of `rounds` runs of `duomap` with the given arguments, output thrown away, one run
/// before that does not count. @throws error when it cannot be started or fails
[[nodiscard]] series time_program(const std::vector<std::string>& arguments, unsigned rounds,
                                  const run_control& control);

}  // namespace duomap::apps
