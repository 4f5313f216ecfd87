// What identifies an answer without keeping it.
// host only
#pragma once

#include <cstdint>

namespace duomap::apps {

/// Equal for equal sets of (key, count), whatever their order.
struct answer_digest {
  std::uint64_t rows = 0;
  std::uint64_t total = 0;  ///< sum of the counts
  std::uint64_t sum = 0;    ///< sum of a hash of each row

  void add(const char* key, std::uint64_t size, std::uint64_t count);
  friend bool operator==(const answer_digest&, const answer_digest&) = default;
};

}  // namespace duomap::apps
