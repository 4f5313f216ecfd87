// Lets a program run a task many times over data that stays in a GPU's memory, without compiling the program
// with nvcc.
// host only
#pragma once

#include "core/chunk.hpp"
#include "core/task.hpp"
#include "gpu/engines/can_run.hpp"

#include <concepts>
#include <memory>

namespace duomap {

template <map_reduce_task Task>
class resident_loop;

}  // namespace duomap

namespace duomap::gpu {

/// Tasks that can be iterated: rows or indices, no key or dense keys, slots or a reduction that commutes.
template <class Task>
concept resident_task =
    dense_task<Task> && !order_matters<Task> &&
    (std::same_as<typename Task::format, index_range> || detail::is_rows<typename Task::format>);

/// Whether this program can iterate a task on GPUs. Such a task declares it beside its definition, as k-means
/// does,
///   template <>
///   inline constexpr bool duomap::gpu::has_resident_code<duomap::apps::kmeans_step<3>> = DUOMAP_HAS_CUDA;
/// and a .cu file of the program includes gpu/engines/dense/device_loop.cuh and makes the code in this
/// namespace:
///   template std::unique_ptr<resident_loop<apps::kmeans_step<3>>> make_resident(
///       const apps::kmeans_step<3>&, const chunk&, int);
template <class Task>
inline constexpr bool has_resident_code = false;

/// Makes a loop (core/resident_loop.hpp) on a GPU (device_info::index). The loop holds a chunk, which may be
/// empty, and maps and reduces it with few launches in each step.
/// @throws out_of_memory, device_lost
template <resident_task Task>
[[nodiscard]] std::unique_ptr<resident_loop<Task>> make_resident(const Task& task, const chunk& part,
                                                                 int device);

}  // namespace duomap::gpu
