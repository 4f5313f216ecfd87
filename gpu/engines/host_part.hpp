// What an engine has brought to host memory: it outlives the engine and its device.
// host only
#pragma once

#include "core/parallel.hpp"
#include "core/partial/partial_for.hpp"

#include <memory>
#include <vector>

namespace duomap::gpu {

/// Reduced emits of one commit. Becomes a partial only when the CPU's workers are there to help.
template <map_reduce_task Task>
class host_part {
 public:
  virtual ~host_part() = default;

  /// Called once.
  [[nodiscard]] virtual partial_for<Task> take_partial(parallel& pool) = 0;
};

template <map_reduce_task Task>
using host_parts = std::vector<std::unique_ptr<host_part<Task>>>;

}  // namespace duomap::gpu
