// Sorting on a pool of workers.
// host only
#pragma once

#include "core/config.hpp"
#include "core/parallel.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace duomap {

/// Sorts `values` by `less`, a strict weak order: pieces are sorted in parallel, then merged pairwise. Not
/// stable. Takes as much memory again while merging. For one worker, or few values, it is std::sort.
template <class T, class Less>
void parallel_sort(std::vector<T>& values, const Less& less, parallel& pool) {
  // Below some thousand values a piece sorts faster than it is handed over.
  constexpr std::uint64_t smallest_piece = torture ? 2 : 8192;
  std::uint64_t pieces = 1;
  while (pieces < pool.workers() && values.size() / (2 * pieces) >= smallest_piece) pieces *= 2;
  const auto at = [&](std::uint64_t piece, std::uint64_t of) {
    return values.begin() + static_cast<std::ptrdiff_t>(values.size() * piece / of);
  };
  pool.for_each_index(pieces, [&](std::uint64_t i) { std::sort(at(i, pieces), at(i + 1, pieces), less); });
  for (std::uint64_t left = pieces / 2; left > 0; left /= 2) {
    pool.for_each_index(left, [&](std::uint64_t i) {
      std::inplace_merge(at(2 * i, 2 * left), at(2 * i + 1, 2 * left), at(2 * i + 2, 2 * left), less);
    });
  }
}

}  // namespace duomap
