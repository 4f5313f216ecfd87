// Sorts by a bitonic network in which every comparison puts the smaller item in front. Such a network sorts
// any number of items, without padding to a power of two. host safe
#pragma once

#include "core/config.hpp"

#include <cstdint>

namespace duomap::gpu {

// To sort, merge sorted halves of 2, 4, 8, ... items until `size` is enough: first all mirrored pairs of
// `size`, then all distant pairs of distance size / 4, size / 8, ..., 1. Sizes and distances are powers of
// two, so that masks find the pairs.

/// Two items of an array that a step of the network compares; `Index` is an unsigned type.
template <class Index>
struct item_pair {
  Index first;
  Index second;
};

/// The i-th pair of the first step, which merges sorted halves of `size` items: from both ends inwards.
template <class Index>
[[nodiscard]] DUOMAP_HD constexpr item_pair<Index> mirrored_pair(Index i, Index size) {
  const Index offset = i & (size / 2 - 1);
  const Index begin = 2 * (i - offset);
  return {begin + offset, begin + size - 1 - offset};
}

/// The i-th pair of a later step: two items `distance` apart.
template <class Index>
[[nodiscard]] DUOMAP_HD constexpr item_pair<Index> distant_pair(Index i, Index distance) {
  const Index first = 2 * i - (i & (distance - 1));
  return {first, first + distance};
}

/// The number of pairs in a step with groups of `size` items. The last pairs may reach behind the end.
template <class Index>
[[nodiscard]] DUOMAP_HD constexpr Index pairs_of(Index count, Index size) {
  return (count + size - 1) / size * (size / 2);
}

/// Puts the two items of a pair in order. A pair that reaches behind `count` items is in order.
template <class T, class Index, class Less>
DUOMAP_HD void put_in_order(T* items, Index count, const item_pair<Index>& pair, const Less& less) {
  if (pair.second >= count || !less(items[pair.second], items[pair.first])) return;
  const T front = items[pair.second];
  items[pair.second] = items[pair.first];
  items[pair.first] = front;
}

}  // namespace duomap::gpu
