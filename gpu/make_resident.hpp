// How a program runs a task again and again over data that stays in a GPU's memory, without nvcc knowing the
// program.
// host only
#pragma once

#include "core/chunk.hpp"
#include "core/partial/partial_for.hpp"
#include "core/task.hpp"
#include "gpu/can_run.hpp"

#include <concepts>
#include <memory>

namespace duomap::gpu {

/// Tasks that can be iterated: rows or indices, no key, slots or dense keys, a reduction that commutes.
template <class Task>
concept resident_task =
    dense_task<Task> && !order_matters<Task> &&
    (std::same_as<typename Task::format, index_range> || impl::is_rows<typename Task::format>);

/// A chunk in the memory of one GPU. Used by one thread, whose current CUDA device it changes.
template <resident_task Task>
class resident_loop {
 public:
  virtual ~resident_loop() = default;

  /// Maps and reduces the whole chunk by one graph launch. `task` is the task with this iteration's state:
  /// its members and arrays may have changed since the last step, its format, its number of keys and the
  /// sizes of its arrays must not. `device_seconds`, if not null, gets the time between the start and the end
  /// of the work on the device.
  /// @throws std::logic_error when map emits a dense key that is not below key_count(); device_lost
  [[nodiscard]] virtual partial_for<Task> step(const Task& task, double* device_seconds = nullptr) = 0;
};

/// Copies the chunk to the GPU. The program's .cu file makes the code:
///   #include "gpu/dense/device_loop.cuh"
///   template std::unique_ptr<duomap::gpu::resident_loop<my_task>> duomap::gpu::make_resident(
///       const my_task&, const chunk&, int);
/// @throws device_out_of_memory (an out_of_memory)
template <resident_task Task>
[[nodiscard]] std::unique_ptr<resident_loop<Task>> make_resident(const Task& task, const chunk& part,
                                                                 int device);

}  // namespace duomap::gpu
