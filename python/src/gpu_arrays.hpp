// Uses arrays of other libraries in GPU memory, which Python hands over by address.
#pragma once

#include "numeric/common/gpu_matrix.hpp"

#include <nanobind/nanobind.h>

#include <cstdint>

namespace duomap::python {

/// view_of() for arrays in GPU memory. arrays.hpp has it for host memory, so templates can take both.
template <class T>
[[nodiscard]] gpu_matrix<T> view_of(const gpu_matrix<T>& from) {
  return from;
}

/// Turns an address, which Python gives as a number, into a pointer.
template <class T>
[[nodiscard]] T* at_address(std::uintptr_t address) {
  return reinterpret_cast<T*>(address);  // NOLINT(performance-no-int-to-ptr)
}

void add_gpu_arrays(nanobind::module_& module);

}  // namespace duomap::python
