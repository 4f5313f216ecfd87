// Launches kernels that call a Python function. An engine names a kernel of the module. The linked kernel
// with the same name runs instead, because only it contains the function.
#pragma once

#include "gpu/engines/dense/key_kernels.cuh"
#include "gpu/engines/dense/slot_kernels.cuh"
#include "gpu/engines/hash/emitters.cuh"
#include "gpu/runtime/check.cuh"
#include "gpu/runtime/launch.cuh"
#include "python/gpu/linked_kernels.hpp"
#include "python/src/row_function.hpp"

#include <cuda_runtime.h>

namespace duomap::gpu {

namespace detail {

template <class Key, class Arguments>
void launch_linked(const python::row_function<Key>& task, void (*kernel)(Arguments),
                   const launch_shape& shape, const Arguments& with) {
  if (shape.grid.x == 0 || shape.grid.y == 0 || shape.grid.z == 0) return;
  const void* const linked =
      task.on_host().kernels->instead_of(reinterpret_cast<const void*>(kernel), shape.shared_bytes);
  void* arguments[] = {const_cast<Arguments*>(&with)};
  const auto describe = [&shape] {
    return shape.describe() + ", of a Python function";
  };
  check(cudaLaunchKernel(linked, shape.grid, shape.block, arguments, shape.shared_bytes, shape.stream),
        describe, shape.where);
  if (synchronous_launches()) check(cudaStreamSynchronize(shape.stream), describe, shape.where);
}

}  // namespace detail

// These overloads launch the linked kernel, which contains the Python function, in place of the given one.
// The compiler prefers them to the general launch() for all kernels that call a task's map. Other kernels go
// through the general launch().

template <class Key, bool InParameters>
void launch(void (*kernel)(key_arguments<python::row_function<Key>, InParameters>), const launch_shape& shape,
            const key_arguments<python::row_function<Key>, InParameters>& with) {
  detail::launch_linked(with.task.task, kernel, shape, with);
}

template <class Key, bool InParameters>
void launch(void (*kernel)(slot_arguments<python::row_function<Key>, InParameters>),
            const launch_shape& shape, const slot_arguments<python::row_function<Key>, InParameters>& with) {
  detail::launch_linked(with.task.task, kernel, shape, with);
}

template <class Key>
void launch(void (*kernel)(map_arguments<python::row_function<Key>>), const launch_shape& shape,
            const map_arguments<python::row_function<Key>>& with) {
  detail::launch_linked(with.task, kernel, shape, with);
}

}  // namespace duomap::gpu
