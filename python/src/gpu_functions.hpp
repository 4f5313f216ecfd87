// Functions over rows that run on GPUs, too.
#pragma once

#include "function_facts.hpp"
#include "own_task.hpp"
#include "python/gpu/linked_kernels.hpp"

#include <memory>
#include <string>
#include <vector>

namespace duomap::python {

/// @throws device_unavailable in a build without GPU code
[[nodiscard]] std::shared_ptr<linked_kernels> load_kernels(std::vector<linked_image> images);

/// Runs with the devices that the call chooses. `key` is "none", "dense" or a type of NumPy, as `value` is.
/// False when the map failed somewhere: the CPU alone can say where.
[[nodiscard]] bool run_on_gpus(const function_facts& facts, const std::string& key, const std::string& value,
                               linked_kernels& kernels, const own_task_call& call);

}  // namespace duomap::python
