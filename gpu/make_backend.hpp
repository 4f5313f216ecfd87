// How a program gets GPU backends for its tasks without nvcc knowing the program.
// host only
#pragma once

#include "core/backend.hpp"

#include <memory>
#include <string>
#include <vector>

namespace duomap::detail {
template <class Task>
struct task_check;
}  // namespace duomap::detail

namespace duomap::gpu {

struct backend_options;

/// Whether this program has GPU code for a task. A task that has says so beside its definition,
///   template <>
///   inline constexpr bool duomap::gpu::has_code<wordcount> = DUOMAP_HAS_CUDA;
/// and a .cu file of the program makes the code, for the engines that it includes:
///   #include <gpu/engines/hash/engine.cuh>
///   #include <gpu/gpu_backend.cuh>
///   namespace duomap::gpu {
///   template backends_of<wordcount> make_backends(const wordcount&, const std::vector<int>&,
///                                                 const backend_options&);
///   }
/// Without the .cu file the program does not link, and the linker names what is missing; without has_code the
/// .cu file does not compile; without the engine that runs the task by default the file does not compile, and
/// the error names the header. job_options::engine chooses among those that are included; gpu/engines/all.cuh
/// brings all. Other tasks run on the CPU.
template <class Task>
inline constexpr bool has_code = false;

/// Where core/task_check.hpp is included, the compiler says here in a sentence what the task lacks.
template <class Task>
inline constexpr bool is_checked = requires {
  sizeof(duomap::detail::task_check<Task>);
};
template <class Task, bool = is_checked<Task>>
using backends_of = std::vector<std::unique_ptr<backend<Task>>>;

/// Makes the backends, in the program's .cu file. Without one the linker says this name.
template <map_reduce_task Task>
struct this_program_lacks_a_cu_file_with_the_gpu_code_of {
  [[nodiscard]] static backends_of<Task> see_gpu_make_backend_hpp(const Task& task,
                                                                  const std::vector<int>& devices,
                                                                  const backend_options& options);
};

/// A backend for each of the devices (device_info::index), with such options (gpu/options.hpp). They touch no
/// device before their first chunk.
/// @throws usage_error when options.engine names an engine that cannot run the task, or that the .cu file
/// does not include
template <map_reduce_task Task>
[[nodiscard]] backends_of<Task> make_backends(const Task& task, const std::vector<int>& devices,
                                              const backend_options& options);

}  // namespace duomap::gpu
