// Declares the candidates of top-k tasks on a device, which are the emits that may be among the best, and the
// bounds and the list of candidates. host safe
#pragma once

#include "core/config.hpp"
#include "core/key.hpp"
#include "gpu/runtime/atomic.hpp"

#include <concepts>
#include <cstdint>

namespace duomap::gpu {

/// An emit that may be among the best k of its key (0 if there is no key).
template <class V>
struct candidate {
  std::uint64_t key;
  V value;
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

/// Whether sorted[at] is among the first k > 0 candidates of its key.
template <class V>
[[nodiscard]] DUOMAP_HD bool is_among_best(const candidate<V>* sorted, std::uint64_t at, std::uint64_t k) {
  return at < k || sorted[at - k].key != sorted[at].key;
}

/// Whether the candidate is the k-th of its key, so that its value is the key's bound.
template <class V>
[[nodiscard]] DUOMAP_HD bool is_last_of_best(const candidate<V>* sorted, std::uint64_t at, std::uint64_t k) {
  return at + 1 >= k && sorted[at + 1 - k].key == sorted[at].key && is_among_best(sorted, at, k);
}

/// The k-th best value of a key so far. A value that is not better is not among the best k.
template <class V>
struct top_bound {
  V value;
  bool is_set;

  template <class Better>
  [[nodiscard]] DUOMAP_HD bool lets_through(const V& other, const Better& better) const {
    return !is_set || better(other, value);
  }
};

/// The counters of a list, shared by all warps.
struct candidate_counters {
  unsigned long long reserved = 0;  ///< places taken, or reserved by warps
  unsigned long long written = 0;
};

/// A view of a list that many warps add to. A warp reserves places before it adds.
template <class V>
struct candidate_list {
  candidate<V>* items = nullptr;
  candidate_counters* counters = nullptr;
  std::uint64_t capacity = 0;

  /// Reserves `places` places. Returns false, and reserves nothing, if the list lacks them, or if other
  /// warps' attempts make it seem so; of several warps that ask, the first gets its places. Warps reserve by
  /// addition, because compare-and-swap of one word fails for most of thousands of warps. With it, 64 million
  /// ascending numbers took an H200 88 times as long.
  [[nodiscard]] DUOMAP_HD bool reserve(std::uint64_t places) const {
    if (places > capacity) return false;
    if (counter(counters->reserved).fetch_add(places) <= capacity - places) return true;
    give_back(places);
    return false;
  }
  DUOMAP_HD void give_back(std::uint64_t places) const { counter(counters->reserved).fetch_add(~places + 1); }

  /// Returns the place where the caller writes `count` candidates, for which it must have reserved places.
  [[nodiscard]] DUOMAP_HD candidate<V>* add(std::uint64_t count) const {
    return items + counter(counters->written).fetch_add(count);
  }

 private:
  using counter = atomic_ref<unsigned long long, thread_scope::device>;
};

}  // namespace duomap::gpu
