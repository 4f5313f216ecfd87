// Makes a matrix of the numbers in a binary file: converts them, or leaves them in the mapped file.
// host only
#pragma once

#include "core/worker_pool.hpp"
#include "numeric/common/array_header.hpp"
#include "numeric/common/float32_loss.hpp"
#include "numeric/common/stored_matrix.hpp"
#include "numeric/common/table_options.hpp"
#include "numeric/common/whole_input.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace duomap {

template <class T>
struct array_values {
  stored_matrix<T> values;
  /// The file's rows that are not in `values`, ascending.
  std::vector<std::uint64_t> dropped;
  float32_loss loss;  ///< from rounding the numbers to float32
  /// A sentence when the file grew while it was read; else empty.
  std::string growth;
};

/// Makes a matrix of the array that `header` describes. Copies nothing if the file is mapped and holds T in C
/// order. Then the caller must ask, after using the values, whether the file has changed. NaN and infinity
/// make a row a bad row unless the options allow them.
/// @throws input_error when the file is too short or too long for the array, or the array has no row or a bad
/// row; out_of_memory; interrupted
template <class T>
[[nodiscard]] array_values<T> take_array(whole_input file, const array_header& header,
                                         const table_options& options, worker_pool& pool);

}  // namespace duomap
