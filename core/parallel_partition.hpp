// Bringing values of one part together, on a pool of workers.
// host only
#pragma once

#include "core/worker_pool.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace duomap {

/// Puts the values of each part side by side, part after part, those of one part in their order. `part_of`
/// gives a value's part, below `parts` (at most 65,536), and is called once for each value. `pieces` of the
/// values are worked on at a time; at least 1. Takes as much memory again. Returns where each part begins,
/// and at last where the last one ends.
template <class Values, class PartOf>
[[nodiscard]] std::vector<std::uint64_t> parallel_partition(Values& values, std::uint64_t parts,
                                                            std::uint64_t pieces, const PartOf& part_of,
                                                            worker_pool& pool) {
  const auto piece_begin = [&](std::uint64_t piece) {
    return values.size() * piece / pieces;
  };
  std::vector<std::uint16_t> part_of_value(values.size());
  std::vector<std::uint64_t> places(pieces * parts);  // in each piece: of each part how many, then where to
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
