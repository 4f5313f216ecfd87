// Brings the values of each part together, on a pool.
// host only
#pragma once

#include "core/worker_pool.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace duomap {

/// Reorders `values` so that the values of each part stand side by side, part after part, in their old order.
/// part_of(value) returns the value's part, below `parts` (at most 65,536), and is called once for each
/// value. The workers share the values in `pieces` pieces (at least 1). Needs memory for a second copy of the
/// values. Returns the index at which each part begins, and the index at which the last part ends.
template <class Values, class PartOf>
[[nodiscard]] std::vector<std::uint64_t> parallel_partition(Values& values, std::uint64_t parts,
                                                            std::uint64_t pieces, const PartOf& part_of,
                                                            worker_pool& pool) {
  const auto piece_begin = [&](std::uint64_t piece) {
    return values.size() * piece / pieces;
  };
  std::vector<std::uint16_t> part_of_value(values.size());
  std::vector<std::uint64_t> places(
      pieces * parts);  // for each piece and part: a number of values, later the next value's index
  pool.for_each_index(pieces, [&](std::uint64_t piece) {
    for (std::uint64_t i = piece_begin(piece); i < piece_begin(piece + 1); ++i) {
      part_of_value[i] = static_cast<std::uint16_t>(part_of(values[i]));
      ++places[piece * parts + part_of_value[i]];
    }
  });
  std::vector<std::uint64_t> begins(parts + 1);
  std::uint64_t before = 0;
  for (std::uint64_t part = 0; part < parts; ++part) {
    begins[part] = before;
    for (std::uint64_t piece = 0; piece < pieces; ++piece)
      before += std::exchange(places[piece * parts + part], before);
  }
  begins[parts] = before;

  Values together(values.size());
  pool.for_each_index(pieces, [&](std::uint64_t piece) {
    for (std::uint64_t i = piece_begin(piece); i < piece_begin(piece + 1); ++i)
      together[places[piece * parts + part_of_value[i]]++] = std::move(values[i]);
  });
  values.swap(together);
  return begins;
}

}  // namespace duomap
