// Makes a task a kernel's parameter, together with its small broadcast arrays.
#pragma once

#include "core/task.hpp"
#include "gpu/device_task.cuh"
#include "gpu/runtime/check.cuh"
#include "gpu/runtime/stream.cuh"

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace duomap::gpu {

/// The most bytes of broadcast arrays that travel in a kernel's parameters. New contents then need no copy,
/// and reading the same element by all lanes costs less than a load. Together with the other arguments the
/// arrays stay below the 4 KiB that every device takes.
inline constexpr std::uint64_t parameter_array_bytes = 3072;

namespace detail {

[[nodiscard]] DUOMAP_HD constexpr std::uint64_t parameter_place(std::uint64_t bytes) {
  return (bytes + 15) / 16 * 16;
}

}  // namespace detail

/// Bytes of the task's arrays in a kernel's parameters.
template <class Task>
[[nodiscard]] std::uint64_t broadcast_bytes(Task task) {
  std::uint64_t bytes = 0;
  if constexpr (has_broadcast<Task>) {
    task.visit_broadcast(
        [&]<class T>(broadcast<T>& array) { bytes += detail::parameter_place(array.size * sizeof(T)); });
  }
  return bytes;
}

/// The task, and with `InParameters` its arrays too.
template <class Task, bool InParameters>
struct task_parameter {
  Task task;

  explicit task_parameter(const Task& with) : task(with) {}
  [[nodiscard]] __device__ const Task& get() const { return task; }
};

template <class Task>
struct task_parameter<Task, true> {
  Task task;
  alignas(16) unsigned char arrays[parameter_array_bytes];

  /// Takes a task whose arrays the host can read.
  explicit task_parameter(Task with) : task(with) {
    std::uint64_t at = 0;
    with.visit_broadcast([&]<class T>(broadcast<T>& array) {
      if (array.size > 0) std::memcpy(arrays + at, array.data, array.size * sizeof(T));
      at += detail::parameter_place(array.size * sizeof(T));
    });
  }

  /// The task. Call it only on a kernel's __grid_constant__ parameter, whose arrays stay in place.
  [[nodiscard]] __device__ Task get() const {
    Task bound = task;
    std::uint64_t at = 0;
    bound.visit_broadcast([&]<class T>(broadcast<T>& array) {
      array.data = reinterpret_cast<const T*>(arrays + at);
      at += detail::parameter_place(array.size * sizeof(T));
    });
    return bound;
  }
};

/// Copies of broadcast arrays in host memory, to be written into kernel parameters.
template <class Task>
class host_arrays {
 public:
  /// Reads back the arrays of a task whose arrays are on the device. Only for small arrays.
  host_arrays(const Task& on_device, const stream& on) : task_(on_device) {
    if constexpr (has_broadcast<Task>) {
      std::uint64_t at = 0;
      task_.visit_broadcast([&]<class T>(broadcast<T>& array) {
        if (array.size > 0) {
          check(cudaMemcpyAsync(bytes_ + at, array.data, array.size * sizeof(T), cudaMemcpyDeviceToHost,
                                on.get()),
                "reading a broadcast array back");
        }
        array.data = reinterpret_cast<const T*>(bytes_ + at);
        at += detail::parameter_place(array.size * sizeof(T));
      });
      on.wait();
    }
  }
  host_arrays(const host_arrays&) = delete;
  host_arrays& operator=(const host_arrays&) = delete;

  [[nodiscard]] const Task& task() const noexcept { return task_; }

 private:
  Task task_;
  alignas(16) unsigned char bytes_[parameter_array_bytes];
};

/// Calls use(parameter) with the task for a kernel. If `on_host` is not null, the parameter includes the
/// task's arrays, which must be small. Otherwise the task's arrays are in device memory.
template <class Task, class Use>
void with_parameter(const Task& on_device, [[maybe_unused]] const Task* on_host, const Use& use) {
  if constexpr (has_broadcast<Task>) {
    if (on_host != nullptr) {
      use(task_parameter<Task, true>(*on_host));
      return;
    }
  }
  use(task_parameter<Task, false>(on_device));
}

}  // namespace duomap::gpu
