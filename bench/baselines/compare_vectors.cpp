// Computes the lengths of all vectors, then the cosine of every pair.
#include "bench/baselines/compare_vectors.hpp"

#include <cmath>

namespace duomap::apps {

std::vector<similar_pair> compare_vectors_in_one_loop(matrix_view<float> vectors) {
  std::vector<double> lengths(vectors.rows);
  for (std::uint64_t i = 0; i < vectors.rows; ++i) {
    double squares = 0;
    for (const float x : vectors.row(i)) squares += double{x} * double{x};
    lengths[i] = std::sqrt(squares);
  }
  std::vector<similar_pair> pairs;
  pairs.reserve(vectors.rows * (vectors.rows - 1) / 2);
  for (std::uint64_t i = 0; i < vectors.rows; ++i) {
    const float* const left = vectors.row(i).data();
    for (std::uint64_t j = i + 1; j < vectors.rows; ++j) {
      const float* const right = vectors.row(j).data();
      float product = 0;
      for (std::uint64_t c = 0; c < vectors.columns; ++c) product += left[c] * right[c];
      const double both = lengths[i] * lengths[j];
      pairs.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j),
                       both > 0 ? static_cast<float>(double{product} / both) : 0.0f});
    }
  }
  return pairs;
}

}  // namespace duomap::apps
