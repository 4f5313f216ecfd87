// A matrix as a file gave it: in memory of its own, or where the file is mapped.
// host only
#pragma once

#include "apps/algorithms/numeric/matrix.hpp"
#include "core/input/source.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <utility>

namespace duomap {

/// Read-only numbers that keep alive what they are in.
template <class T>
class stored_matrix {
 public:
  stored_matrix() = default;
  stored_matrix(matrix<T> own) : own_(std::move(own)) {}
  /// `values` lie in the bytes of `mapping`, which are followed by `read_padding` readable ones.
  stored_matrix(std::unique_ptr<source> mapping, matrix_view<T> values)
    : mapping_(std::move(mapping)), mapped_(values) {}

  [[nodiscard]] matrix_view<T> view() const { return mapping_ == nullptr ? own_.view() : mapped_; }
  [[nodiscard]] std::uint64_t rows() const { return view().rows; }
  [[nodiscard]] std::uint64_t columns() const { return view().columns; }
  [[nodiscard]] std::span<const T> row(std::uint64_t index) const { return view().row(index); }

  /// Whether the numbers are in the file itself: they were not copied.
  [[nodiscard]] bool is_mapped() const noexcept { return mapping_ != nullptr; }

  /// As source::change(), of numbers that are in the file itself.
  [[nodiscard]] std::string change() const {
    return mapping_ == nullptr ? std::string() : mapping_->change();
  }

 private:
  matrix<T> own_;
  std::unique_ptr<source> mapping_;
  matrix_view<T> mapped_;
};

}  // namespace duomap
