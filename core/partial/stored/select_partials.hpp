// Selects the stored partials for a merge.
// host only
#pragma once

#include "core/partial/covered_input.hpp"
#include "core/partial/stored/partial_reader.hpp"

#include <memory>
#include <string>
#include <vector>

namespace duomap {

/// Stored partials that together have each selected part of the input once.
struct selected_partials {
  std::vector<std::shared_ptr<const partial_reader>> readers;
  covered_input covers;
  /// A sentence for each partial that was left out, because other partials have its part of the input. So a
  /// partial that was delivered twice is counted once.
  std::vector<std::string> notes;
};

/// Selects from `readers`, which has at least one partial. All partials must be of the same task.
/// @throws input_error when two partials overlap, and neither covers all of the other's part
[[nodiscard]] selected_partials each_part_once(std::vector<std::shared_ptr<const partial_reader>> readers);

}  // namespace duomap
