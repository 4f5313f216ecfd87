// Runs tasks over rows whose Python function is compiled for GPUs too.
#pragma once

#include "function_facts.hpp"
#include "own_task.hpp"
#include "python/gpu/linked_kernels.hpp"

#include <memory>
#include <string>
#include <vector>

namespace duomap::python {

/// The kernels of the images. A GPU loads its kernels at their first use.
/// @throws device_unavailable in a build without GPU code
[[nodiscard]] std::shared_ptr<linked_kernels> load_kernels(std::vector<linked_image> images);

/// Runs the task on the devices that the call chooses. `key` is "none", "dense" or the name of a NumPy type;
/// `value` is the name of a NumPy type. Returns false when the map failed. The caller then runs the task on
/// the CPU to find the record.
/// @throws device_unavailable in a build without GPU code
[[nodiscard]] bool run_on_gpus(const function_facts& facts, const std::string& key, const std::string& value,
                               linked_kernels& kernels, const own_task_call& call);

}  // namespace duomap::python
