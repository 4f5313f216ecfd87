// Declares the task of similarity, which compares rows of unit vectors with all others.
#pragma once

#include "core/chunk.hpp"
#include "core/product.hpp"
#include "core/record/index_range.hpp"
#include "core/reduce.hpp"
#include "core/task.hpp"
#include "gpu/engines/custom/custom_engine.hpp"
#include "gpu/make_backend.hpp"
#include "numeric/common/cpu_product.hpp"
#include "numeric/similarity/cyclic_pairs.hpp"
#include "numeric/similarity/similar_pair.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace duomap::gpu {
class shared_parts;
}  // namespace duomap::gpu

namespace duomap {

/// Limits a product of unit vectors to the range of a cosine, because rounding may take it past 1.
[[nodiscard]] DUOMAP_HD constexpr float clamp_cosine(float product) {
  return product > 1 ? 1.0f : product < -1 ? -1.0f : product;
}

/// Maps rows to the pairs worth keeping (Mars; He et al., PACT 2008, section 5: Similarity Score, where all
/// pairs are kept). Each tile of products is discarded after use, so the n x n matrix never exists as a
/// whole. With `best` = 0: the pairs with a cosine of at least `threshold`, each once, in no order within a
/// chunk. Otherwise: for each row the `best` other rows, best first, of equal cosines those with the smaller
/// number.
struct similar_rows {
  using format = index_range;
  using key = no_key;
  using reduce = collect<similar_pair>;

  const float* vectors = nullptr;  ///< in host memory: of length 1, or all zeros
  std::uint64_t count = 0;         ///< number of vectors, below 2^32
  std::uint64_t columns = 0;
  float threshold = 0;
  std::uint64_t best = 0;
  product_kind kind = product_kind::plain;
  std::uint64_t rows_per_grain = 1;
  /// For GPUs: `vectors`, copied to a device once for all its chunks; may be null.
  const std::shared_ptr<gpu::shared_parts>* vector_parts = nullptr;

  [[nodiscard]] format records() const { return {.indices_per_grain = rows_per_grain}; }

  void map_chunk(const chunk& part, auto& emit) const {
    const std::uint64_t end = part.offset + part.size;
    for (std::uint64_t row = part.offset; row < end; row += rows_at_once) {
      const std::uint64_t rows = std::min(rows_at_once, end - row);
      if (best > 0) {
        map_best(row, rows, emit);
      } else {
        map_above(row, rows, emit);
      }
    }
  }

  [[nodiscard]] std::string profile_parameters() const {
    return std::to_string(count) + " x " + std::to_string(columns) + (best > 0 ? " best " : " ") +
           std::to_string(static_cast<int>(kind));
  }

  /// A core with AVX2 or AVX-512 reaches 50 to 160 GFLOP/s.
  [[nodiscard]] double cpu_seconds(std::uint64_t rows, unsigned workers) const {
    return operations(rows) / (workers * 100e9);
  }
  [[nodiscard]] double gpu_seconds(std::uint64_t rows) const { return operations(rows) / 10e12; }

 private:
  [[nodiscard]] double operations(std::uint64_t rows) const {
    const double others = static_cast<double>(count) / (best > 0 ? 1 : 2);
    return 2.0 * static_cast<double>(rows) * others * static_cast<double>(columns);
  }

  // The number of rows compared at once. Their scores take 256 KiB, and stay in the second-level cache until
  // they are used.
  static constexpr std::uint64_t rows_at_once = 128;
  static constexpr std::uint64_t others_at_once = 512;

  // Calls use() for panels of the other rows in `others`, with the scores of the rows.
  template <class Use>
  void for_each_panel(std::uint64_t row, std::uint64_t rows, cyclic_pairs::range others,
                      const Use& use) const {
    std::vector<float> scores(rows * others_at_once);
    for (std::uint64_t other = others.begin; other < others.end; other += others_at_once) {
      const std::uint64_t width = std::min(others_at_once, others.end - other);
      multiply_on_cpu(kind, rows, width, columns, operand<float>{vectors + row * columns, columns},
                      operand<float>{vectors + other * columns, columns, true},
                      result_operand<float>{scores.data(), width});
      for (std::uint64_t i = 0; i < rows; ++i) use(row + i, other, width, scores.data() + i * width);
    }
  }

  void map_above(std::uint64_t begin, std::uint64_t rows, auto& emit) const {
    const cyclic_pairs band{count};
    for (const cyclic_pairs::range others : band.others(begin, begin + rows)) {
      for_each_panel(begin, rows, others,
                     [&](std::uint64_t row, std::uint64_t first, std::uint64_t width, const float* scores) {
                       for (std::uint64_t j = 0; j < width; ++j) {
                         const float cosine = clamp_cosine(scores[j]);
                         if (cosine < threshold || !band.meets(row, first + j)) continue;
                         emit(similar_pair{static_cast<std::uint32_t>(std::min(row, first + j)),
                                           static_cast<std::uint32_t>(std::max(row, first + j)), cosine});
                       }
                     });
    }
  }

  void map_best(std::uint64_t begin, std::uint64_t rows, auto& emit) const {
    // For each row, the best other rows so far, best first. Rows come in ascending order, so a later row goes
    // behind rows of equal cosine.
    std::vector<std::vector<similar_pair>> kept(rows);
    for_each_panel(begin, rows, {0, count},
                   [&](std::uint64_t row, std::uint64_t first, std::uint64_t width, const float* scores) {
                     std::vector<similar_pair>& mine = kept[row - begin];
                     for (std::uint64_t j = 0; j < width; ++j) {
                       const float cosine = clamp_cosine(scores[j]);
                       if (first + j == row || (mine.size() == best && cosine <= mine.back().cosine))
                         continue;
                       if (mine.size() == best) mine.pop_back();
                       const auto place =
                           std::upper_bound(mine.begin(), mine.end(), cosine,
                                            [](float x, const similar_pair& one) { return x > one.cosine; });
                       mine.insert(place, {static_cast<std::uint32_t>(row),
                                           static_cast<std::uint32_t>(first + j), cosine});
                     }
                   });
    for (const auto& of_row : kept) {
      for (const similar_pair& one : of_row) emit(one);
    }
  }
};

}  // namespace duomap

template <>
inline constexpr bool duomap::gpu::has_code<duomap::similar_rows> = DUOMAP_HAS_CUDA;
template <>
inline constexpr bool duomap::gpu::has_custom_engine<duomap::similar_rows> = true;
