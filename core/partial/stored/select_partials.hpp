// Selects the stored partials that are to be merged.
// host only
#pragma once

#include "core/partial/covered_input.hpp"
#include "core/partial/stored/partial_reader.hpp"

#include <memory>
#include <string>
#include <vector>

namespace duomap {

/// Stored partials that together hold each part of the input once.
struct selected_partials {
  std::vector<std::shared_ptr<const partial_reader>> readers;
  covered_input covers;
  /// A sentence for each partial that was left out because others hold its part of the input, too: a partial
  /// that was delivered twice is counted once.
  std::vector<std::string> notes;
};

/// Selects from `readers`: at least one, and all of them partials of one task.
/// @throws input_error when two hold some of the same input and neither holds all of the other's
[[nodiscard]] selected_partials each_part_once(std::vector<std::shared_ptr<const partial_reader>> readers);

}  // namespace duomap
