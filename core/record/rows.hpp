// Record format: fixed-size rows of numbers.
#pragma once

#include "core/byte_view.hpp"
#include "core/chunk.hpp"
#include "core/config.hpp"
#include "core/error.hpp"

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace duomap {

/// One row: `width` values of type T, and its index in its source.
template <class T>
struct row {
  const T* values;
  std::uint32_t width;
  std::uint64_t index;
  [[nodiscard]] DUOMAP_HD const T& operator[](std::uint32_t i) const { return values[i]; }
};

/// Rows of `width` values of a trivially copyable type, one after another behind a header of `header_bytes`.
/// Behind the header the source must be aligned for T. A cut row at the end is no record.
template <class T>
struct rows {
  static_assert(std::is_trivially_copyable_v<T>, "a row is read as raw bytes");
  using record = row<T>;
  static constexpr bool binary = true;

  std::uint32_t width = 1;
  std::uint64_t header_bytes = 0;
  /// The smallest number of rows in a chunk, for a map of whole chunks that needs many; 0: about 64 KiB.
  std::uint64_t rows_per_grain = 0;

  [[nodiscard]] DUOMAP_HD std::uint64_t row_bytes() const { return std::uint64_t{width} * sizeof(T); }

  [[nodiscard]] std::uint64_t grain() const {
    if (width == 0) throw usage_error("the rows of the task have width 0; records() must give at least 1");
    if (torture) return 2 * row_bytes();
    const std::uint64_t count = rows_per_grain > 0 ? rows_per_grain : 64 * 1024 / row_bytes();
    return std::max<std::uint64_t>(1, count) * row_bytes();
  }

  [[nodiscard]] std::uint64_t first_start(byte_view /*source*/, std::uint64_t from,
                                          std::uint64_t limit) const {
    if (from <= header_bytes) return std::min(header_bytes, limit);
    const std::uint64_t rows_before = (from - header_bytes + row_bytes() - 1) / row_bytes();
    return std::min(header_bytes + rows_before * row_bytes(), limit);
  }

  [[nodiscard]] std::uint64_t last_start(byte_view block) const {
    return block.size / row_bytes() * row_bytes();
  }

  /// Calls use(row) for every whole row of the chunk, in order.
  template <class Use>
  DUOMAP_HD void for_each_record(const chunk& part, Use&& use) const {
    const std::uint64_t count = part.size / row_bytes();
    const std::uint64_t before = (part.offset - header_bytes) / row_bytes();
#if !defined(__CUDA_ARCH__)
    // Width 1 has a loop with a constant stride, for which compilers can use vector instructions.
    if (width == 1) {
      const T* const values = reinterpret_cast<const T*>(part.data);
      for (std::uint64_t i = 0; i < count; ++i) use(row<T>{values + i, 1, before + i});
      return;
    }
#endif
    for (std::uint64_t i = 0; i < count; ++i) {
      use(row<T>{reinterpret_cast<const T*>(part.data + i * row_bytes()), width, before + i});
    }
  }
};

}  // namespace duomap
