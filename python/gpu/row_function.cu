// The kernels of tasks over rows whose map is a Python function. This file is compiled twice. In the module
// the map is empty, and the kernels never run: they only name the linked kernels. With DUOMAP_LINKED_MAP the
// file becomes LTO-IR, which nvJitLink links with the function.
#include "gpu/engines/dense/engine.cuh"
#include "gpu/engines/hash/engine.cuh"
#include "gpu/gpu_backend.cuh"
#include "python/gpu/launch_linked.cuh"
#include "python/src/row_function.hpp"

#include <cstdint>
#include <vector>

#if defined(DUOMAP_LINKED_MAP)
// duomap/_gpu_function.py calls these functions. By numba-cuda's convention for declared functions they
// return 0, and their first parameter is the address of a result, unused here.
extern "C" __device__ int duomap_emit_word(void* /*result*/, const void* sink, std::uint64_t key,
                                           std::uint64_t value) {
  const auto& to = *static_cast<const duomap::python::function_sink*>(sink);
  to.emit(to.to, key, value);
  return 0;
}
extern "C" __device__ int duomap_emit_double(void* result, const void* sink, std::uint64_t key,
                                             double value) {
  return duomap_emit_word(result, sink, key, static_cast<std::uint64_t>(__double_as_longlong(value)));
}
extern "C" __device__ int duomap_fail(void* /*result*/, const void* sink) {
  *static_cast<const duomap::python::function_sink*>(sink)->failed = 1;
  return 0;
}
#else
extern "C" __device__ int duomap::python::duomap_map_row(const char* /*row*/, const void* /*sink*/) {
  return 0;
}
#endif

namespace duomap::gpu {

template <class Key>
using task = python::row_function<Key>;

template backends_of<task<no_key>> make_backends(const task<no_key>&, const std::vector<int>&,
                                                 const backend_options&);
template backends_of<task<dense>> make_backends(const task<dense>&, const std::vector<int>&,
                                                const backend_options&);
template backends_of<task<std::uint64_t>> make_backends(const task<std::uint64_t>&, const std::vector<int>&,
                                                        const backend_options&);

}  // namespace duomap::gpu
