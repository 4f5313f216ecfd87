// Keeps a matrix that was read from a file, in its own memory or in the mapped file.
// host only
#pragma once

#include "core/input/source.hpp"
#include "numeric/common/matrix.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <utility>

namespace duomap {

/// Read-only numbers, together with the memory or the mapping that holds them.
template <class T>
class stored_matrix {
 public:
  stored_matrix() = default;
  stored_matrix(matrix<T> own) : own_(std::move(own)) {}
  /// `values` lie in the bytes of `mapping`, which `read_padding` readable bytes follow.
  stored_matrix(std::unique_ptr<source> mapping, matrix_view<T> values)
    : mapping_(std::move(mapping)), mapped_(values) {}

  [[nodiscard]] matrix_view<T> view() const { return mapping_ == nullptr ? own_.view() : mapped_; }
  [[nodiscard]] std::uint64_t rows() const { return view().rows; }
  [[nodiscard]] std::uint64_t columns() const { return view().columns; }
  [[nodiscard]] std::span<const T> row(std::uint64_t index) const { return view().row(index); }

  /// Whether the numbers are in the mapped file, not copied.
  [[nodiscard]] bool is_mapped() const noexcept { return mapping_ != nullptr; }

  /// source::change() of the mapped file; empty for numbers in memory.
  [[nodiscard]] std::string change() const {
    return mapping_ == nullptr ? std::string() : mapping_->change();
  }

 private:
  matrix<T> own_;
  std::unique_ptr<source> mapping_;
  matrix_view<T> mapped_;
};

}  // namespace duomap
