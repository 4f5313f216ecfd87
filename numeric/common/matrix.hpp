// Declares dense matrices of numbers, stored row by row, with which the numeric applications compute.
// host only
#pragma once

#include "core/byte_view.hpp"
#include "core/chunk.hpp"
#include "core/error.hpp"
#include "core/zeroed_memory.hpp"

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

namespace duomap {

/// A view of `rows` times `columns` numbers, row by row without gaps.
template <class T>
struct matrix_view {
  const T* data = nullptr;
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;

  matrix_view() = default;
  matrix_view(const T* values, std::uint64_t row_count, std::uint64_t column_count)
    : data(values), rows(row_count), columns(column_count) {}
  /// Takes all whole rows of `values`, and leaves out numbers at the end that do not fill a row.
  matrix_view(std::span<const T> values, std::uint64_t column_count)
    : data(values.data()), rows(column_count > 0 ? values.size() / column_count : 0), columns(column_count) {}

  [[nodiscard]] std::span<const T> row(std::uint64_t index) const {
    return {data + index * columns, columns};
  }
  [[nodiscard]] std::span<const T> values() const { return {data, rows * columns}; }
  [[nodiscard]] byte_view bytes() const {
    return {reinterpret_cast<const char*>(data), rows * columns * sizeof(T)};
  }
};

/// A matrix that owns its memory. The memory starts as zeros on huge pages, with `read_padding` bytes behind
/// it.
template <class T>
class matrix {
  static_assert(std::is_arithmetic_v<T>);

 public:
  matrix() = default;
  /// @throws out_of_memory saying how many bytes `what` needed
  matrix(std::uint64_t rows, std::uint64_t columns, const std::string& what = "a matrix")
    : rows_(rows), columns_(columns), memory_(allocate_zeroed(bytes_for(rows, columns, what), what)) {}

  matrix(matrix&& from) noexcept
    : rows_(std::exchange(from.rows_, 0)),
      columns_(std::exchange(from.columns_, 0)),
      memory_(std::move(from.memory_)) {}
  matrix& operator=(matrix&& from) noexcept {
    rows_ = std::exchange(from.rows_, 0);
    columns_ = std::exchange(from.columns_, 0);
    memory_ = std::move(from.memory_);
    return *this;
  }

  [[nodiscard]] std::uint64_t rows() const noexcept { return rows_; }
  [[nodiscard]] std::uint64_t columns() const noexcept { return columns_; }
  [[nodiscard]] T* data() noexcept { return static_cast<T*>(memory_.get()); }
  [[nodiscard]] const T* data() const noexcept { return static_cast<const T*>(memory_.get()); }
  [[nodiscard]] std::span<T> row(std::uint64_t index) { return {data() + index * columns_, columns_}; }
  [[nodiscard]] std::span<const T> row(std::uint64_t index) const {
    return {data() + index * columns_, columns_};
  }
  [[nodiscard]] matrix_view<T> view() const { return {data(), rows_, columns_}; }

  /// Drops the rows from `count` on.
  void keep_rows(std::uint64_t count) noexcept {
    if (count < rows_) rows_ = count;
  }

 private:
  [[nodiscard]] static std::size_t bytes_for(std::uint64_t rows, std::uint64_t columns,
                                             const std::string& what) {
    constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max() - read_padding;
    if (columns > 0 && rows > most / sizeof(T) / columns) {
      throw out_of_memory(what + " of " + std::to_string(rows) + " rows and " + std::to_string(columns) +
                          " columns is larger than any memory");
    }
    return rows * columns * sizeof(T) + read_padding;
  }

  std::uint64_t rows_ = 0;
  std::uint64_t columns_ = 0;
  zeroed_memory memory_;
};

}  // namespace duomap
