// Adds up products of pairs of columns, one tile of the triangle of all pairs at a time, with the vector
// instructions that the CPU has.
// host only
#pragma once

#include "cpu/features.hpp"

#include <cstdint>

namespace duomap {

/// Sizes of a tile: eight left columns, and a panel of right columns, two registers of AVX-512 wide.
inline constexpr std::uint32_t tile_left = 8;
template <class T>
inline constexpr std::uint32_t panel_columns = 128 / sizeof(T);

/// The arguments for adding up a tile.
template <class T>
struct tile_columns {
  std::uint64_t rows;
  const T* left;
  std::uint32_t left_stride;
  const T* right;
  std::uint32_t width;
  /// The panel's columns in the next run; may not exist. While a run is multiplied, memory is idle, so these
  /// columns are prefetched when sums of columns are asked for. Without prefetching, 2^20 rows of 8 floats
  /// took a core of an EPYC (Zen 5) 5.9 ms, more than twice the time.
  const T* next;
  std::uint64_t next_stride;
};

/// The functions of a vector path for panels. A panel has some columns of a run of rows, `width` numbers for
/// each row, which is panel_columns<T> or half of it. All paths give the same bits.
template <class T>
struct tile_kernels {
  /// Fills a panel with the differences of `columns` (at most `width`) columns to `origin`, and with zeros
  /// after them. A row of `from` begins `stride` numbers after the row before.
  void (*centre)(std::uint64_t rows, const T* from, std::uint64_t stride, std::uint32_t columns,
                 const T* origin, T* panel, std::uint32_t width);

  /// Adds up a tile. `products`, tile_left rows of `width`, gets the sums of left[r * left_stride + i] times
  /// right[r * width + j]. `sums` gets the sums of the right columns; may be null. Each sum goes from the
  /// first row to the last, with fused multiply-adds for products.
  void (*add)(const tile_columns<T>& with, T* products, T* sums);
};

/// T is float or double. Without AVX-512, or AVX2 and FMA, each product costs a call of std::fma.
template <class T>
[[nodiscard]] tile_kernels<T> tile_kernels_for(cpu::vector_path path) noexcept;

}  // namespace duomap
