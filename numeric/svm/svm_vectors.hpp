// Declares the loops of support vector machines over consecutive values, with vector instructions. host only
#pragma once

#include "cpu/features.hpp"
#include "numeric/svm/svm_problem.hpp"

#include <cstddef>
#include <cstdint>

namespace duomap {

/// Rows of a tile of sparse rows. A tile is stored column by column, so that neighbouring rows share a
/// vector.
inline constexpr std::uint32_t svm_tile_rows = 64;

/// The arguments for turning products into kernel values.
template <class T>
struct kernel_map_arguments {
  svm_kernel kernel;
  T norm = 0;                ///< |x|^2 of the row in all of the products
  const T* norms = nullptr;  ///< |x|^2 of the other rows
  std::size_t count = 0;
};

/// The two rows that choose_pair() takes from a working set.
struct pair_choice {
  std::uint32_t up = 0;
  std::uint32_t low = 0;
  double gap = 0;  ///< max over I_up of -f, less min over I_low of -f; negative if I_up or I_low is empty
};

/// The arguments for choosing a pair. `up` is 0 for members of I_up, and infinity for others; `low` is the
/// same for I_low. `f` is y G. All arrays have room for a whole vector behind the last value, where `up` and
/// `low` are infinity.
template <class T>
struct pair_arguments {
  const T* f = nullptr;
  const T* up = nullptr;
  const T* low = nullptr;
  const T* diagonal = nullptr;  ///< K(x, x)
  const T* kernel = nullptr;    ///< the matrix of kernel values
  std::size_t stride = 0;       ///< from one row of the matrix to the next
  std::size_t count = 0;
  bool second_order = true;
};

/// The functions of one vector path. Other paths may round differently.
template <class T>
struct svm_vectors {
  /// Replaces the product in each of count values by the kernel value.
  void (*map)(const kernel_map_arguments<T>& with, T* values);
  /// sums[i] += factor[p] * rows[p][i] for each p of `points`.
  void (*add_rows)(std::size_t points, const T* const* rows, const double* factors, std::size_t count,
                   double* sums);
  /// values[r] = sum over k of values_of[k] * tile[slot_of[column_of[k]] * svm_tile_rows + r].
  void (*tile_product)(std::size_t entries, const std::uint32_t* column_of, const T* values_of,
                       const std::uint32_t* slot_of, const T* tile, T* values);
  /// Chooses the two rows that violate most. By second order, chooses the row that violates most, and the row
  /// with which a step gains most. Of equal rows, the smallest index wins.
  pair_choice (*choose_pair)(const pair_arguments<T>& with);
  /// f[i] += first * a[i] + second * b[i].
  void (*add_two)(T first, const T* a, T second, const T* b, std::size_t count, T* f);
};

/// The most float32 values in a vector.
inline constexpr std::size_t svm_widest_vector = 16;

/// T is float or double.
template <class T>
[[nodiscard]] const svm_vectors<T>& svm_vectors_for(cpu::vector_path path) noexcept;

}  // namespace duomap
