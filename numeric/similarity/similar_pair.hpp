// Declares a pair of vectors and its cosine. host safe
#pragma once

#include <cstdint>

namespace duomap {

/// Two rows, whose numbers count from 0, and their cosine.
struct similar_pair {
  std::uint32_t first;
  std::uint32_t second;
  float cosine;
  friend bool operator==(const similar_pair&, const similar_pair&) = default;
};

}  // namespace duomap
