// Identifies an answer without keeping it.
// host only
#pragma once

#include "core/byte_view.hpp"

#include <cstdint>

namespace duomap::apps {

/// A digest of (key, count) rows. Equal sets of rows have equal digests, in whatever order they are added.
struct answer_digest {
  std::uint64_t rows = 0;
  std::uint64_t total = 0;  ///< sum of the counts
  std::uint64_t sum = 0;    ///< sum of a hash of each row

  void add(const char* key, std::uint64_t size, std::uint64_t count) {
    // The hash FNV-1a, because no measured program uses it.
    std::uint64_t hash = 0xCBF29CE484222325u;
    for (std::uint64_t i = 0; i < size; ++i)
      hash = (hash ^ static_cast<unsigned char>(key[i])) * 0x100000001B3u;
    ++rows;
    total += count;
    sum += hash * (2 * count + 1);
  }
  friend bool operator==(const answer_digest&, const answer_digest&) = default;
};

/// The digest of a result that counts keys.
template <class Counts>
[[nodiscard]] answer_digest digest_of_counts(const Counts& counts) {
  answer_digest answer;
  counts.for_each([&](byte_view key, std::uint64_t count) { answer.add(key.data, key.size, count); });
  return answer;
}

}  // namespace duomap::apps
