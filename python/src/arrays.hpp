// Passes arrays of numbers between Python and C++ without a copy.
#pragma once

#include "numeric/common/matrix.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace duomap::python {

/// An array of rows in host memory, which Python owns. Mark arguments of this type noconvert(): otherwise
/// nanobind silently copies arrays of another type or layout.
template <class T>
using matrix_argument =
    nanobind::ndarray<const T, nanobind::ndim<2>, nanobind::c_contig, nanobind::device::cpu>;
template <class T>
using vector_argument =
    nanobind::ndarray<const T, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;

/// A Python tuple of values of different types.
using several = nanobind::typed<nanobind::tuple, nanobind::any, nanobind::ellipsis>;

template <class T>
[[nodiscard]] matrix_view<T> view_of(const matrix_argument<T>& from) {
  return {from.data(), from.shape(0), from.shape(1)};
}

template <class T>
[[nodiscard]] std::span<const T> view_of(const vector_argument<T>& from) {
  return {from.data(), from.shape(0)};
}

/// A NumPy array over `data`. `owner` owns the data, and the array keeps the owner alive.
template <class T, class Owner>
[[nodiscard]] nanobind::any array_over(T* data, std::vector<std::size_t> shape,
                                       std::unique_ptr<Owner> owner) {
  const nanobind::capsule keeper(owner.release(),
                                 [](void* left) noexcept { delete static_cast<Owner*>(left); });
  return nanobind::borrow<nanobind::any>(
      nanobind::cast(nanobind::ndarray<nanobind::numpy, T>(data, shape.size(), shape.data(), keeper)));
}

/// A NumPy array that owns `values` from now on. Without a shape it is one-dimensional.
template <class T>
[[nodiscard]] nanobind::any to_array(std::vector<T> values, std::vector<std::size_t> shape = {}) {
  auto own = std::make_unique<std::vector<T>>(std::move(values));
  T* const data = own->data();
  if (shape.empty()) shape = {own->size()};
  return array_over(data, std::move(shape), std::move(own));
}

template <class T>
[[nodiscard]] nanobind::any to_array(matrix<T> values) {
  auto own = std::make_unique<matrix<T>>(std::move(values));
  T* const data = own->data();
  std::vector<std::size_t> shape{own->rows(), own->columns()};
  return array_over(data, std::move(shape), std::move(own));
}

}  // namespace duomap::python
