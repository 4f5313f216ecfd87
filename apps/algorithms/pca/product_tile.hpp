// Sums of products of columns, a tile of the triangle at a time, with the vector instructions of this CPU.
// host only
#pragma once

#include "cpu/features.hpp"

#include <cstdint>

namespace duomap {

/// Columns of a tile: eight left ones, and a panel of right ones, which is two registers of AVX-512 wide.
inline constexpr std::uint32_t tile_left = 8;
template <class T>
inline constexpr std::uint32_t panel_columns = 128 / sizeof(T);

/// What a tile is added up from.
template <class T>
struct tile_columns {
  std::uint64_t rows;
  const T* left;
  std::uint32_t left_stride;
  const T* right;
  std::uint32_t width;
  /// Where the panel's columns stand in the next run, which is brought into the cache meanwhile where sums of
  /// columns are asked for, and need not be there. Otherwise a run's rows are read at once and the memory is
  /// idle while they are multiplied: 2^20 rows of 8, 16 and 32 floats took a core of an EPYC (Zen 5) 5.9, 9.5
  /// and 22 ms instead of 2.2, 4.4 and 13.5.
  const T* next;
  std::uint64_t next_stride;
};

/// What a vector path does with a panel: some columns of a run of rows, `width` numbers for each row, which
/// is panel_columns<T> or half of it. All paths give the same bits.
template <class T>
struct tile_kernels {
  /// Fills a panel with the differences of `columns` columns, at most `width`, to `origin`, and with zeros
  /// behind them. A row of `from` begins `stride` numbers behind the one before.
  void (*centre)(std::uint64_t rows, const T* from, std::uint64_t stride, std::uint32_t columns,
                 const T* origin, T* panel, std::uint32_t width);

  /// Adds up a tile: `products`, tile_left rows of `width`, gets the sums of left[r * left_stride + i] times
  /// right[r * width + j], and `sums`, unless it is null, those of the right columns. Each is one sum from
  /// the first row to the last, products by fused multiply-adds.
  void (*add)(const tile_columns<T>& with, T* products, T* sums);
};

/// T is float or double. Without AVX-512, or AVX2 and FMA, each product costs a call of std::fma.
template <class T>
[[nodiscard]] tile_kernels<T> tile_kernels_for(cpu::vector_path path) noexcept;

}  // namespace duomap
