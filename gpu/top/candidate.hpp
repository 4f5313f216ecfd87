// What a top-k task's emits become on a device, and what they must beat. host safe
#pragma once

#include "core/config.hpp"

#include <cstdint>

namespace duomap::gpu {

/// An emit that may be among the best k of its key (0 when there is no key).
template <class V>
struct candidate {
  std::uint64_t key;
  V value;
};

/// The k-th best value of a key so far: whatever is not better is not among the best k.
template <class V>
struct top_bound {
  V value;
  bool is_set;
};

/// Groups candidates by key, the best first.
template <class Better>
struct candidate_order {
  Better better;
  template <class V>
  [[nodiscard]] DUOMAP_HD bool operator()(const candidate<V>& a, const candidate<V>& b) const {
    return a.key != b.key ? a.key < b.key : better(a.value, b.value);
  }
};

/// Whether the candidate at `at` of `sorted` ones has fewer than k of its key before it; k > 0.
template <class V>
[[nodiscard]] DUOMAP_HD bool is_among_best(const candidate<V>* sorted, std::uint64_t at, std::uint64_t k) {
  return at < k || sorted[at - k].key != sorted[at].key;
}

/// Whether it has k - 1 of them before it, and so bounds what may follow.
template <class V>
[[nodiscard]] DUOMAP_HD bool is_last_of_best(const candidate<V>* sorted, std::uint64_t at, std::uint64_t k) {
  return at + 1 >= k && sorted[at + 1 - k].key == sorted[at].key && is_among_best(sorted, at, k);
}

}  // namespace duomap::gpu
