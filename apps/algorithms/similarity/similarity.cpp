#include "apps/algorithms/similarity/similarity.hpp"

#include "apps/algorithms/numeric/finite.hpp"
#include "apps/algorithms/similarity/similar_rows.hpp"
#include "core/parallel_sort.hpp"
#include "duomap.hpp"
#include "gpu/feed/shared_parts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

namespace duomap {
namespace {

// Rows of length 1. Of zeros, zeros.
matrix<float> unit_vectors(matrix_view<float> vectors, worker_pool& pool) {
  matrix<float> units(vectors.rows, vectors.columns, "the vectors of length 1");
  constexpr std::uint64_t rows_at_once = 256;
  pool.for_each_index((vectors.rows + rows_at_once - 1) / rows_at_once, [&](std::uint64_t block) {
    const std::uint64_t end = std::min(vectors.rows, (block + 1) * rows_at_once);
    for (std::uint64_t row = block * rows_at_once; row < end; ++row) {
      double squares = 0;
      for (const float x : vectors.row(row)) squares += static_cast<double>(x) * static_cast<double>(x);
      if (squares == 0) continue;
      const double length = std::sqrt(squares);
      std::ranges::transform(vectors.row(row), units.row(row).begin(),
                             [&](float x) { return static_cast<float>(static_cast<double>(x) / length); });
    }
  });
  return units;
}

// So high that a worker's products are efficient, and so low that all workers have some.
std::uint64_t rows_per_grain(std::uint64_t rows, unsigned workers) {
  constexpr std::uint64_t most = 128;
  return std::clamp<std::uint64_t>(rows / (4 * workers), 1, most);
}

}  // namespace

std::vector<similar_pair> similarity(matrix_view<float> vectors, const similarity_options& options) {
  if (vectors.rows > std::numeric_limits<std::uint32_t>::max())
    throw usage_error("up to 2^32 - 1 vectors can be compared, and there are " +
                      std::to_string(vectors.rows));
  if (!options.threshold && options.best == 0)
    throw usage_error("keep at least 1 other for each vector, or the pairs over a threshold");
  if (vectors.rows < 2) return {};
  if (vectors.columns == 0) throw usage_error("vectors without numbers have no angles");
  const auto pool = cpu::machine_pool(options.job.threads);
  require_finite(vectors, options.name, *pool);
  const matrix<float> units = unit_vectors(vectors, *pool);
  const auto vector_parts = std::make_shared<gpu::shared_parts>();
  const similar_rows task{
      .vectors = units.data(),
      .count = vectors.rows,
      .columns = vectors.columns,
      .threshold = static_cast<float>(options.threshold.value_or(0)),
      .best = options.threshold ? 0 : std::min(options.best, vectors.rows),
      .kind = options.kind,
      .rows_per_grain = rows_per_grain(vectors.rows, pool->workers()),
      .vector_parts = &vector_parts,
  };
  const auto kept = run(task, index_input(vectors.rows), *pool, options.job);
  std::vector<similar_pair> pairs;
  pairs.reserve(kept.size());
  kept.for_each([&](std::uint64_t /*no key*/, const similar_pair& one) { pairs.push_back(one); });
  if (options.threshold) {
    const auto before = [](const similar_pair& a, const similar_pair& b) {
      return a.first != b.first ? a.first < b.first : a.second < b.second;
    };
    parallel_sort(pairs, before, *pool);
  }
  return pairs;
}

}  // namespace duomap
