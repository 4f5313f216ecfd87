// Finds the vectors that point in nearly the same direction.
// host only
#pragma once

#include "core/product.hpp"
#include "core/run_options.hpp"
#include "numeric/common/matrix.hpp"
#include "numeric/similarity/similar_pair.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace duomap {

struct similarity_options {
  /// Keeps pairs of at least this cosine, each pair once. None: keeps the `top` others of each vector.
  std::optional<double> threshold = std::nullopt;
  /// Without a threshold: the number of other vectors to keep for each vector. The largest cosines stay; of
  /// equal ones, those with the smaller number.
  std::uint64_t top = 10;
  /// `ordered`: all devices give the same bits, and so the same pairs.
  product_kind kind = product_kind::plain;
  /// Devices, threads and report of the run. `memory` limits the pairs, including pairs just below the
  /// threshold. A pair takes 32 bytes.
  run_options run = {};
  /// The name of the vectors in messages: a file.
  std::string name = "the vectors";
};

/// Computes the cosine of the angle between vectors i and j, sum x_ik x_jk / (|x_i| |x_j|), for the pairs
/// that the options ask for (Mars; He et al., PACT 2008, section 5: Similarity Score). A vector of zeros has
/// the cosine 0 with every other. Lengths are computed in double and cosines in float: with k columns that
/// are not 0, their error is at most about (k + 4) * 2^-24, and they lie between -1 and 1. Cosines within
/// that error of 1 or of the threshold are computed in double and rounded to float. So equal rows have
/// exactly 1, and a pair is kept if its cosine is at least the threshold less (k + 4) * 2^-53.
///
/// With a threshold, pairs have first < second and ascend. Otherwise they are sorted by `first`, and then
/// best first. Time grows with rows^2 * columns, memory with the number of kept pairs: every device looks at
/// products tile by tile.
/// @throws input_error naming the first row with NaN or infinity; usage_error when there are 2^32 vectors or
/// more; memory_exceeded, device_unavailable, out_of_memory, interrupted
[[nodiscard]] std::vector<similar_pair> similarity(matrix_view<float> vectors,
                                                   const similarity_options& options = {});

}  // namespace duomap
