// Two vectors and how similar they are. host safe
#pragma once

#include <cstdint>

namespace duomap {

/// Row numbers count from 0.
struct similar_pair {
  std::uint32_t first;
  std::uint32_t second;
  float cosine;
  friend bool operator==(const similar_pair&, const similar_pair&) = default;
};

}  // namespace duomap
