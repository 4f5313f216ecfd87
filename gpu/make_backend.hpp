// Gives a program GPU backends for its tasks, without compiling the program with nvcc.
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

/// Whether this program has GPU code for a task. A task that has GPU code declares it beside its definition,
///   template <>
///   inline constexpr bool duomap::gpu::has_code<wordcount> = DUOMAP_HAS_CUDA;
/// and a .cu file of the program makes the code, for the engines that it includes:
///   #include <gpu/engines/hash/engine.cuh>
///   #include <gpu/gpu_backend.cuh>
///   namespace duomap::gpu {
///   template backends_of<wordcount> make_backends(const wordcount&, const std::vector<int>&,
///                                                 const backend_options&);
///   }
/// Without the .cu file the program does not link, and the linker's error names this file. Without has_code
/// the .cu file does not compile. Without the task's default engine it does not compile either, and the error
/// names the missing header. run_options::gpu.engine chooses among the included engines; gpu/engines/all.cuh
/// includes all engines. Other tasks run on the CPU.
template <class Task>
inline constexpr bool has_code = false;

/// Only for generated .cu files: true if they set has_code<Task> to has_engine<Task>. Tasks that no GPU
/// engine can run, such as those with a record format of their own, then run on the CPU.
template <class Task>
inline constexpr bool code_is_optional = false;

/// If core/task_check.hpp is included, the compiler explains here in a sentence why the task is not valid.
template <class Task>
inline constexpr bool is_checked = requires {
  sizeof(duomap::detail::task_check<Task>);
};
template <class Task, bool = is_checked<Task>>
using backends_of = std::vector<std::unique_ptr<backend<Task>>>;

/// Makes the backends, in the program's .cu file. If there is no such file, the linker's error shows this
/// name.
template <map_reduce_task Task>
struct this_program_lacks_a_cu_file_with_the_gpu_code_of {
  [[nodiscard]] static backends_of<Task> see_gpu_make_backend_hpp(const Task& task,
                                                                  const std::vector<int>& devices,
                                                                  const backend_options& options);
};

/// Makes a backend for each of the devices (device_info::index), with these options (gpu/options.hpp). The
/// backends touch no device before their first chunk.
/// @throws usage_error if options.engine names an engine that cannot run the task, or that the .cu file does
/// not include
template <map_reduce_task Task>
[[nodiscard]] backends_of<Task> make_backends(const Task& task, const std::vector<int>& devices,
                                              const backend_options& options);

}  // namespace duomap::gpu
