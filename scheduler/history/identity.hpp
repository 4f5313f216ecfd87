// Identifies an executor or a part of a machine that was measured, and tells whether it is still the same.
#pragma once

#include "scheduler/history/profile_words.hpp"

#include <string>

namespace duomap::scheduler {

/// The name and the facts of an executor, or of a part of a machine. If the facts differ, the measurements
/// are of different things, and the older measurement is only a hint.
struct identity {
  std::string name;
  profile_facts facts;
  friend bool operator==(const identity&, const identity&) = default;
};

}  // namespace duomap::scheduler
