// Arrays in the memory of a GPU, of other libraries, as Python hands them over.
#pragma once

#include "apps/algorithms/numeric/gpu_matrix.hpp"

#include <nanobind/nanobind.h>

#include <cstdint>

namespace duomap::python {

/// As view_of() of arrays in host memory (arrays.hpp).
template <class T>
[[nodiscard]] gpu_matrix<T> view_of(const gpu_matrix<T>& from) {
  return from;
}

/// What lies at an address that Python gives as a number.
template <class T>
[[nodiscard]] T* at_address(std::uintptr_t address) {
  return reinterpret_cast<T*>(address);  // NOLINT(performance-no-int-to-ptr)
}

void add_gpu_arrays(nanobind::module_& module);

}  // namespace duomap::python
