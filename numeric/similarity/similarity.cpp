// Scales vectors to length 1, runs the job over their pairs, and settles doubtful cosines in double.
#include "numeric/similarity/similarity.hpp"

#include "core/parallel_sort.hpp"
#include "duomap.hpp"
#include "gpu/feed/shared_parts.hpp"
#include "numeric/common/finite.hpp"
#include "numeric/similarity/similar_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <span>

namespace duomap {
namespace {

/// The sum of products in double, where each product is exact. Eight partial sums suit vector instructions.
double product_of(std::span<const float> left, std::span<const float> right) {
  constexpr std::size_t lanes = 8;
  double sums[lanes] = {};
  std::size_t at = 0;
  for (; at + lanes <= left.size(); at += lanes) {
    for (std::size_t lane = 0; lane < lanes; ++lane)
      sums[lane] += static_cast<double>(left[at + lane]) * static_cast<double>(right[at + lane]);
  }
  for (; at < left.size(); ++at) sums[0] += static_cast<double>(left[at]) * static_cast<double>(right[at]);
  return std::accumulate(sums, sums + lanes, 0.0);
}

struct unit_vectors {
  matrix<float> rows;           ///< of length 1, or zeros
  std::vector<double> squares;  ///< squared lengths of the vectors before
  double rounding = 0;          ///< the largest difference between a float product and the cosine
};

unit_vectors unit_vectors_of(matrix_view<float> vectors, worker_pool& pool) {
  unit_vectors units{matrix<float>(vectors.rows, vectors.columns, "the vectors of length 1"),
                     std::vector<double>(vectors.rows)};
  std::vector<std::uint64_t> terms(vectors.rows);  // numbers other than zeros, which round nothing
  constexpr std::uint64_t rows_at_once = 256;
  pool.for_each_index((vectors.rows + rows_at_once - 1) / rows_at_once, [&](std::uint64_t block) {
    const std::uint64_t end = std::min(vectors.rows, (block + 1) * rows_at_once);
    for (std::uint64_t row = block * rows_at_once; row < end; ++row) {
      const double squares = units.squares[row] = product_of(vectors.row(row), vectors.row(row));
      if (squares == 0) continue;
      const double length = std::sqrt(squares);
      std::ranges::transform(vectors.row(row), units.rows.row(row).begin(),
                             [&](float x) { return static_cast<float>(static_cast<double>(x) / length); });
      terms[row] = vectors.columns - static_cast<std::uint64_t>(std::ranges::count(vectors.row(row), 0.0f));
    }
  });
  if (!terms.empty()) units.rounding = (static_cast<double>(std::ranges::max(terms)) + 4) * 0x1p-24;
  return units;
}

/// Computes doubtful cosines in double: those that may be 1, and those so near to the threshold that float
/// cannot place them. Removes pairs below the threshold. The product of equal rows is the root of its own
/// square, so the cosine of equal rows is 1.
void settle(std::vector<similar_pair>& pairs, matrix_view<float> vectors, const unit_vectors& units,
            const similarity_options& options, worker_pool& pool) {
  constexpr float below = -2;
  const double threshold = options.threshold.value_or(below);
  constexpr std::uint64_t pairs_at_once = 256;
  pool.for_each_index((pairs.size() + pairs_at_once - 1) / pairs_at_once, [&](std::uint64_t block) {
    const std::uint64_t end = std::min<std::uint64_t>(pairs.size(), (block + 1) * pairs_at_once);
    for (std::uint64_t i = block * pairs_at_once; i < end; ++i) {
      similar_pair& one = pairs[i];
      const auto cosine = static_cast<double>(one.cosine);
      if (cosine < 1 - units.rounding && cosine >= threshold + units.rounding) continue;
      const double squares = units.squares[one.first] * units.squares[one.second];
      const double exact =
          squares == 0 ? 0 : product_of(vectors.row(one.first), vectors.row(one.second)) / std::sqrt(squares);
      // A pair too near to the threshold for double counts as above it.
      const bool keep = exact >= threshold - units.rounding * 0x1p-29;
      one.cosine =
          keep ? std::max(clamp_cosine(static_cast<float>(exact)), static_cast<float>(threshold)) : below;
    }
  });
  std::erase_if(pairs, [](const similar_pair& one) { return one.cosine == below; });
}

// A grain has enough rows for efficient products, but is small enough that all workers get grains.
std::uint64_t rows_per_grain(std::uint64_t rows, unsigned workers) {
  constexpr std::uint64_t most = 128;
  return std::clamp<std::uint64_t>(rows / (4 * workers), 1, most);
}

}  // namespace

std::vector<similar_pair> similarity(matrix_view<float> vectors, const similarity_options& options) {
  if (vectors.rows > std::numeric_limits<std::uint32_t>::max())
    throw usage_error("up to 2^32 - 1 vectors can be compared, and there are " +
                      std::to_string(vectors.rows));
  if (!options.threshold && options.top == 0)
    throw usage_error("keep at least 1 other for each vector, or the pairs over a threshold");
  if (vectors.rows < 2) return {};
  if (vectors.columns == 0) throw usage_error("vectors without numbers have no angles");
  const auto pool = cpu::machine_pool(options.run.threads);
  require_finite(vectors, options.name, *pool);
  const unit_vectors units = unit_vectors_of(vectors, *pool);
  const auto vector_parts = std::make_shared<gpu::shared_parts>();
  const similar_rows task{
      .vectors = units.rows.data(),
      .count = vectors.rows,
      .columns = vectors.columns,
      .threshold = std::nextafter(static_cast<float>(options.threshold.value_or(0) - units.rounding), -2.0f),
      .best = options.threshold ? 0 : std::min(options.top, vectors.rows),
      .kind = options.kind,
      .rows_per_grain = rows_per_grain(vectors.rows, pool->workers()),
      .vector_parts = &vector_parts,
  };
  const auto kept = run(task, index_input(vectors.rows), *pool, options.run);
  std::vector<similar_pair> pairs;
  pairs.reserve(kept.size());
  kept.for_each([&](std::uint64_t /*no key*/, const similar_pair& one) { pairs.push_back(one); });
  settle(pairs, vectors, units, options, *pool);
  if (options.threshold) {
    const auto before = [](const similar_pair& a, const similar_pair& b) {
      return a.first != b.first ? a.first < b.first : a.second < b.second;
    };
    parallel_sort(pairs, before, *pool);
  } else {
    const auto before = [](const similar_pair& a, const similar_pair& b) {
      if (a.first != b.first) return a.first < b.first;
      return a.cosine != b.cosine ? a.cosine > b.cosine : a.second < b.second;
    };
    parallel_sort(pairs, before, *pool);
  }
  return pairs;
}

}  // namespace duomap
