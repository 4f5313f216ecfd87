// The loops of support vector machines over values that lie one after another, by vector instructions.
// host only
#pragma once

#include "apps/algorithms/svm/svm_problem.hpp"
#include "cpu/features.hpp"

#include <cstddef>
#include <cstdint>

namespace duomap {

/// Rows of a tile of sparse rows. It is stored column by column, so that rows are neighbours in a vector.
inline constexpr std::uint32_t svm_tile_rows = 64;

/// What kernel values are made of where only products are known.
struct kernel_map_arguments {
  svm_kernel kernel;
  float norm = 0;                ///< |x|^2 of the row that all products are with
  const float* norms = nullptr;  ///< those of the others
  std::size_t count = 0;
};

/// A pair of a working set.
struct pair_choice {
  std::uint32_t up = 0;
  std::uint32_t low = 0;
  float gap = 0;  ///< max over I_up of -f, less min over I_low of -f; negative where one of them is empty
};

/// What a pair is chosen from. `up` and `low` are 0 for members of I_up and I_low and infinity for others;
/// `f` is y G. All have room for a whole vector behind the last value, where `up` and `low` are infinity.
struct pair_arguments {
  const float* f = nullptr;
  const float* up = nullptr;
  const float* low = nullptr;
  const float* diagonal = nullptr;  ///< K(x, x)
  const float* kernel = nullptr;    ///< the matrix of kernel values
  std::size_t stride = 0;           ///< between its rows
  std::size_t count = 0;
  bool second_order = true;
};

/// The functions of one vector path. They may round differently from those of another.
struct svm_vectors {
  /// values[i] = K, where it was the product, for count values.
  void (*map)(const kernel_map_arguments& with, float* values);
  /// sums[i] += factor[p] * rows[p][i] for each p of `points`.
  void (*add_rows)(std::size_t points, const float* const* rows, const double* factors, std::size_t count,
                   double* sums);
  /// values[r] = sum over k of values_of[k] * tile[slot_of[column_of[k]] * svm_tile_rows + r].
  void (*tile_product)(std::size_t entries, const std::uint32_t* column_of, const float* values_of,
                       const std::uint32_t* slot_of, const float* tile, float* values);
  /// The pair that violates most, or the one whose step gains most with the row that does; of equal ones
  /// that with the smallest index.
  pair_choice (*choose_pair)(const pair_arguments& with);
  /// f[i] += first * a[i] + second * b[i].
  void (*add_two)(float first, const float* a, float second, const float* b, std::size_t count, float* f);
};

/// Values that a vector has at most.
inline constexpr std::size_t svm_widest_vector = 16;

[[nodiscard]] const svm_vectors& svm_vectors_for(cpu::vector_path path) noexcept;

}  // namespace duomap
