// Identifies an executor or a part of a machine, to tell whether it is still the one that was measured.
#pragma once

#include "scheduler/history/profile_words.hpp"

#include <string>

namespace duomap::scheduler {

/// The name and the facts of an executor, or of a part of a machine. A measurement with other facts is of
/// another thing, and only a hint.
struct identity {
  std::string name;
  profile_facts facts;
  friend bool operator==(const identity&, const identity&) = default;
};

}  // namespace duomap::scheduler
