// The bitonic sorting network in the form in which every comparison puts the smaller item in front, so that
// any number of items can be sorted and none is needed to fill up to a power of two. host safe
#pragma once

#include "core/config.hpp"

#include <cstdint>

namespace duomap::gpu {

// To sort, merge sorted halves of 2, 4, 8, ... items until `size` is enough: all mirrored pairs of `size`,
// then all distant pairs of distance size / 4, size / 8, ..., 1.

/// Two items of an array that a step of the network compares.
struct item_pair {
  std::uint64_t first;
  std::uint64_t second;
};

/// The i-th pair of the first step that merges sorted halves of `size` items: from both ends inwards.
[[nodiscard]] DUOMAP_HD constexpr item_pair mirrored_pair(std::uint64_t i, std::uint64_t size) {
  const std::uint64_t half = size / 2;
  const std::uint64_t begin = i / half * size;
  return {begin + i % half, begin + size - 1 - i % half};
}

/// The i-th pair of a later step: `distance` apart.
[[nodiscard]] DUOMAP_HD constexpr item_pair distant_pair(std::uint64_t i, std::uint64_t distance) {
  const std::uint64_t first = i / distance * 2 * distance + i % distance;
  return {first, first + distance};
}

/// Puts the two items of a pair in order; a pair that reaches behind `count` items is in order.
template <class T, class Less>
DUOMAP_HD void put_in_order(T* items, std::uint64_t count, const item_pair& pair, const Less& less) {
  if (pair.second >= count || !less(items[pair.second], items[pair.first])) return;
  const T front = items[pair.second];
  items[pair.second] = items[pair.first];
  items[pair.first] = front;
}

}  // namespace duomap::gpu
