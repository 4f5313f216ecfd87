// Keeps an engine's results in host memory, where the results outlive the engine and its device.
// host only
#pragma once

#include "core/partial/partial_for.hpp"
#include "core/worker_pool.hpp"

#include <memory>
#include <vector>

namespace duomap::gpu {

/// The reduced emits of one commit. They become a partial later, when the CPU's workers can help.
template <map_reduce_task Task>
class host_partial {
 public:
  virtual ~host_partial() = default;

  /// Makes the partial. Called once.
  [[nodiscard]] virtual partial_for<Task> release_partial(worker_pool& pool) = 0;
};

template <map_reduce_task Task>
using host_partials = std::vector<std::unique_ptr<host_partial<Task>>>;

}  // namespace duomap::gpu
