// A task whose broadcast arrays are on a device.
#pragma once

#include "core/task.hpp"
#include "gpu/runtime/buffer.cuh"
#include "gpu/runtime/check.cuh"
#include "gpu/runtime/stream.cuh"

#include <vector>

namespace duomap::gpu {

namespace impl {

/// Takes any broadcast<T>. No lambda, because nvcc's two compilers would disagree on has_broadcast.
struct any_array {
  template <class T>
  DUOMAP_HD void operator()(broadcast<T>& /*array*/) const {}
};

}  // namespace impl

/// Tasks that have arrays.
template <class Task>
concept has_broadcast = requires(Task t, impl::any_array visit) {
  t.visit_broadcast(visit);
};

/// Owns the device's copies of a task's arrays.
template <map_reduce_task Task>
class device_task {
 public:
  /// The arrays have been read when what is queued on `on` so far is done.
  device_task(const Task& task, const stream& on) : task_(task) {
    if constexpr (has_broadcast<Task>) {
      task_.visit_broadcast([&]<class T>(broadcast<T>& array) {
        arrays_.emplace_back(array.size * sizeof(T), on);
        if (array.size > 0) {
          check(cudaMemcpyAsync(arrays_.back().template as<void>(), array.data, array.size * sizeof(T),
                                cudaMemcpyHostToDevice, on.get()),
                "copying a broadcast array");
        }
        array.data = arrays_.back().template as<T>();
      });
    }
  }

  /// For kernels: its arrays can be read on the device only.
  [[nodiscard]] const Task& get() const noexcept { return task_; }

 private:
  Task task_;
  std::vector<device_buffer> arrays_;
};

}  // namespace duomap::gpu
