// Views arrays in GPU memory, reads DLPack capsules, and lists the compute capabilities of the GPUs.
#include "gpu_arrays.hpp"

#include "core/error.hpp"
#include "gpu/device/device.hpp"
#include "gpu/feed/device_memory.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace duomap::python {
namespace {

namespace nb = nanobind;
using namespace nb::literals;

void require_code() {
#if !DUOMAP_HAS_CUDA
  throw device_unavailable(no_code_for_gpu_matrices);
#endif
}

int gpu_that_has(std::uintptr_t address, const std::string& name) {
  require_code();
  const std::optional<int> gpu = gpu::gpu_of(at_address<const char>(address));
  if (!gpu) throw usage_error(name + " says that it is in the memory of a GPU, and CUDA says that it is not");
  return *gpu;
}

/// Address, shape, strides in elements, type in NumPy's notation (or "another" for anything but floats), and
/// number of the device.
using array_facts =
    std::tuple<std::uintptr_t, std::vector<std::int64_t>, std::vector<std::int64_t>, std::string, int>;

array_facts dlpack_facts(const nb::object& capsule) {
  const auto of = nb::cast<nb::ndarray<nb::ro>>(capsule, false);
  std::vector<std::int64_t> shape, strides;
  for (std::size_t i = 0; i < of.ndim(); ++i) {
    shape.push_back(static_cast<std::int64_t>(of.shape(i)));
    strides.push_back(of.stride(i));
  }
  const nb::dlpack::dtype type = of.dtype();
  const bool plain = type.lanes == 1 && type.code == static_cast<std::uint8_t>(nb::dlpack::dtype_code::Float);
  return {reinterpret_cast<std::uintptr_t>(of.data()), shape, strides,
          plain ? "<f" + std::to_string(type.bits / 8) : "another", of.device_id()};
}

/// The compute capability of each GPU of the machine.
std::vector<std::pair<int, int>> gpu_capabilities() {
  std::vector<std::pair<int, int>> all;
  for (const gpu::device_info& one : gpu::discover().devices) all.emplace_back(one.major, one.minor);
  return all;
}

template <class T>
void add_class(nb::module_& module, const char* name) {
  nb::class_<gpu_matrix<T>>(module, name)
      .def(
          "__init__",
          [](gpu_matrix<T>* self, std::uintptr_t address, std::uint64_t rows, std::uint64_t columns,
             const std::string& called) {
            new (self)
                gpu_matrix<T>{at_address<const T>(address), rows, columns, gpu_that_has(address, called)};
          },
          "address"_a, "rows"_a, "columns"_a, "name"_a)
      .def_ro("gpu", &gpu_matrix<T>::gpu)
      .def_ro("rows", &gpu_matrix<T>::rows)
      .def_ro("columns", &gpu_matrix<T>::columns)
      .def_prop_ro("address",
                   [](const gpu_matrix<T>& of) { return reinterpret_cast<std::uintptr_t>(of.data); });
}

}  // namespace

void add_gpu_arrays(nb::module_& module) {
  add_class<float>(module, "GpuFloats");
  add_class<double>(module, "GpuDoubles");
  module.def("gpu_capabilities", gpu_capabilities);
  // CUDA's version, such as 13000 for 13.0; 0 in a build without GPU code.
  module.attr("toolkit_version") = gpu::toolkit_version();
  module.def("dlpack_facts", dlpack_facts, "capsule"_a);
  module.def("gpu_of", gpu_that_has, "address"_a, "name"_a);
  module.def(
      "wait_for_stream",
      [](int gpu, std::uint64_t stream) {
        require_code();
        gpu::wait_for_stream(gpu, stream);
      },
      "gpu"_a, "stream"_a, nb::call_guard<nb::gil_scoped_release>());
}

}  // namespace duomap::python
