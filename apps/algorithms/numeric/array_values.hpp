// The numbers of a binary file as a matrix: where they are, or converted.
// host only
#pragma once

#include "apps/algorithms/numeric/array_header.hpp"
#include "apps/algorithms/numeric/stored_matrix.hpp"
#include "apps/algorithms/numeric/table_options.hpp"
#include "apps/algorithms/numeric/whole_input.hpp"
#include "core/worker_pool.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace duomap {

template <class T>
struct array_values {
  stored_matrix<T> values;
  /// The rows of the file that are not in `values`, ascending.
  std::vector<std::uint64_t> dropped;
  /// A sentence when the file grew while it was read; else empty.
  std::string growth;
};

/// Takes the array that `header` describes out of a file. Nothing is copied if the file is mapped and holds
/// T in C order: the user of the values asks later whether it changed. NaN and infinity are bad rows
/// unless allowed.
/// @throws input_error when the array is not all there, or more than it is, has no row, or has a bad row;
/// out_of_memory; interrupted
template <class T>
[[nodiscard]] array_values<T> take_array(whole_input file, const array_header& header,
                                         const table_options& options, worker_pool& pool);

}  // namespace duomap
