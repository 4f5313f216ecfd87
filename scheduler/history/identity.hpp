// What was measured, and what tells whether it is still the same.
#pragma once

#include "scheduler/history/profile_words.hpp"

#include <string>

namespace duomap::scheduler {

/// An executor, or a part of a machine. Two measurements with other facts are of different things; the older
/// one is a hint for the newer.
struct identity {
  std::string name;
  profile_facts facts;
  friend bool operator==(const identity&, const identity&) = default;
};

}  // namespace duomap::scheduler
