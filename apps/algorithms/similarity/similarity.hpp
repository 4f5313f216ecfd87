// Which of many vectors point in nearly the same direction.
// host only
#pragma once

#include "apps/algorithms/numeric/matrix.hpp"
#include "apps/algorithms/similarity/similar_pair.hpp"
#include "core/job_options.hpp"
#include "core/product.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace duomap {

struct similarity_options {
  /// Pairs of at least this cosine, each once; nothing: the `best` of each vector.
  std::optional<double> threshold = std::nullopt;
  /// Without a threshold: others for each vector, those of the largest cosine; of equal ones those with the
  /// smaller number.
  std::uint64_t best = 10;
  /// `ordered`: the same bits, and so the same pairs, on all devices.
  product_kind kind = product_kind::plain;
  /// Where it runs, and with `collect_bytes` how much memory the pairs may take, 32 bytes each.
  job_options job = {};
  /// What messages call the vectors: a file.
  std::string name = "the vectors";
};

/// The cosine of the angle between vectors i and j, sum x_ik x_jk / (|x_i| |x_j|), for those pairs that the
/// options ask for (Mars; He et al., PACT 2008, section 5: Similarity Score). A vector of zeros has the
/// cosine 0 with every other. Lengths are computed in double, cosines in float: they are wrong by at most
/// about (k + 2) * 2^-24 for k columns, and lie between -1 and 1.
///
/// With a threshold pairs have first < second and ascend; otherwise they are sorted by `first`, and for each
/// of it best first. Time goes with rows^2 * columns, memory with what is kept: products are looked at tile
/// by tile, on every device.
/// @throws input_error naming the first row with NaN or infinity; usage_error when there are 2^32 vectors or
/// more; collected_too_much, device_unavailable, out_of_memory, interrupted
[[nodiscard]] std::vector<similar_pair> similarity(matrix_view<float> vectors,
                                                   const similarity_options& options = {});

}  // namespace duomap
