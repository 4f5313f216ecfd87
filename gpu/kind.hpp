// Registers GPUs as a kind of device (duomap.hpp).
// host only
#pragma once

#include "core/backend.hpp"
#include "core/device_provider.hpp"
#include "core/memory_reservation.hpp"
#include "core/run_options.hpp"
#include "gpu/engines/engine_choice.hpp"
#include "gpu/make_backend.hpp"
#include "gpu/make_resident.hpp"

#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace duomap::gpu {

/// Makes the settings of the backends of a run on these devices.
[[nodiscard]] std::shared_ptr<const backend_options> backend_options_for(
    std::span<const device_in_run> devices, const run_options& options, shared_budget memory);

/// The numbers of the devices (device_info::index).
[[nodiscard]] std::vector<int> indices_of(std::span<const device_in_run> devices);

struct kind {
  [[nodiscard]] static const device_provider& provider();

  template <map_reduce_task Task>
  static constexpr bool has_code = gpu::has_code<Task>;

  /// @throws usage_error if the options ask for an engine, or for block tables, that GPUs cannot use for such
  /// a task
  template <map_reduce_task Task>
  static void check(const run_options& options) {
    if (options.gpu.engine) require_engine(*options.gpu.engine, kind_of<Task>());
    if (options.gpu.block_tables) require_block_tables(kind_of<Task>(), options.gpu.engine);
  }

  /// Adds a backend for each device. Only for tasks for which has_code is true.
  template <map_reduce_task Task>
  static void add_backends(std::vector<std::shared_ptr<backend<Task>>>& all, const Task& task,
                           std::span<const device_in_run> devices, const run_options& options,
                           shared_budget memory) {
    const auto how = backend_options_for(devices, options, std::move(memory));
    using code = this_program_lacks_a_cu_file_with_the_gpu_code_of<Task>;
    for (auto& one : code::see_gpu_make_backend_hpp(task, indices_of(devices), *how))
      all.push_back(std::move(one));
  }

  /// Whether a task can be iterated on data that stays on a GPU.
  template <map_reduce_task Task>
  static constexpr bool has_resident_code = gpu::has_resident_code<Task>;

  static constexpr const char* no_resident_code_reason =
      "this program cannot iterate this task on GPUs (gpu/make_resident.hpp says how to add that)";

  /// Starts a GPU and makes the loop. Only for tasks for which has_resident_code is true.
  template <map_reduce_task Task>
  [[nodiscard]] static std::unique_ptr<resident_loop<Task>> make_resident(const Task& task, int index) {
    auto loop = gpu::make_resident(task, chunk{}, index);
    note_started(index);
    return loop;
  }

 private:
  // Remembers the GPU's context, so that later runs need not wait for one.
  static void note_started(int index);
};

}  // namespace duomap::gpu
