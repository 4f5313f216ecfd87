// Declares the task of matmul, which multiplies rows of a matrix by another matrix, and writes the products
// to their place.
#pragma once

#include "core/chunk.hpp"
#include "core/product.hpp"
#include "core/record/rows.hpp"
#include "core/reduce.hpp"
#include "core/task.hpp"
#include "cpu/blas/ordered_product.hpp"
#include "gpu/engines/custom/custom_engine.hpp"
#include "gpu/make_backend.hpp"
#include "numeric/common/cpu_product.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>

namespace duomap::gpu {
class shared_parts;
}  // namespace duomap::gpu

namespace duomap {

/// Rows of the left factor -> the same rows of the product (Mars; He et al., PACT 2008, section 5: Matrix
/// Multiplication), by one library product for each chunk. The map emits nothing: the product's rows have
/// their place in host memory, and the device that maps a chunk writes all of its rows.
template <class T>
struct row_product {
  using format = rows<T>;
  using key = no_key;
  using reduce = slots<>;

  operand<T> right;           ///< not transposed; in host memory, or in that of the run's only GPU
  result_operand<T> out;      ///< in the same memory; null, for measurements: GPUs keep their results
  std::uint32_t terms = 0;    ///< columns of the left factor, rows of the right one; more than 0
  std::uint64_t columns = 0;  ///< computed columns of the right factor
  std::uint64_t rows_per_grain = 1;
  product_kind kind = product_kind::plain;
  double operations_in_all = 0;  ///< of the whole product; computed_in_order() chooses by this number
  /// For the CPU's workers: `right`, packed once for all of them; may be null.
  cpu::packed_factor<T>* packed = nullptr;
  /// For GPUs: `right`, copied to a device once for all its chunks; may be null.
  const std::shared_ptr<gpu::shared_parts>* right_parts = nullptr;

  [[nodiscard]] format records() const { return {.width = terms, .rows_per_grain = rows_per_grain}; }

  void map_chunk(const chunk& part, auto& /*emit*/) const {
    const std::uint64_t row_bytes = records().row_bytes();
    const operand<T> left{reinterpret_cast<const T*>(part.data), terms};
    const result_operand<T> to{out.data + part.offset / row_bytes * out.stride, out.stride};
    if (packed != nullptr) {
      packed->multiply(part.size / row_bytes, left, to);
    } else {
      multiply_on_cpu(kind, part.size / row_bytes, columns, terms, left, right, to, operations_in_all);
    }
  }

  /// The time for a row depends on the size of the right factor.
  [[nodiscard]] std::string profile_parameters() const {
    return std::to_string(terms) + " x " + std::to_string(columns) + " " +
           std::to_string(static_cast<int>(kind));
  }

  /// 16 cores with AVX-512 reach 1 TFLOP/s of float, and half of that of double.
  [[nodiscard]] double cpu_seconds(std::uint64_t bytes, unsigned workers) const {
    return operations(bytes) / (workers * (sizeof(T) == 4 ? 60e9 : 30e9));
  }
  /// An H200 reaches 28 TFLOP/s for 8192^3, with all copies.
  [[nodiscard]] double gpu_seconds(std::uint64_t bytes) const {
    const double rows = static_cast<double>(bytes) / static_cast<double>(records().row_bytes());
    const double moved = static_cast<double>(bytes) + (rows + static_cast<double>(terms)) *
                                                          static_cast<double>(columns) *
                                                          static_cast<double>(sizeof(T));
    return 1e-3 + std::max(operations(bytes) / 25e12, moved / 20e9);
  }

 private:
  [[nodiscard]] double operations(std::uint64_t bytes) const {
    return 2.0 * static_cast<double>(bytes / sizeof(T)) * static_cast<double>(columns);
  }
};

}  // namespace duomap

namespace duomap::gpu {

template <class T>
inline constexpr bool has_code<row_product<T>> = DUOMAP_HAS_CUDA;
template <class T>
inline constexpr bool has_custom_engine<row_product<T>> = true;

}  // namespace duomap::gpu
