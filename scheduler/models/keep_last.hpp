// Keeps the newest of a series of measurements.
#pragma once

#include <cstddef>
#include <vector>

namespace duomap::scheduler {

/// Appends a value. If there are `most` values already, the oldest one is dropped.
inline void keep_last(std::vector<double>& values, double value, std::size_t most) {
  if (values.size() == most) values.erase(values.begin());
  values.push_back(value);
}

}  // namespace duomap::scheduler
