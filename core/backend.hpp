// Declares the backend, which is an executor that knows its task.
// host only
#pragma once

#include "core/executor.hpp"
#include "core/partial/partial_for.hpp"
#include "core/worker_pool.hpp"

#include <vector>

namespace duomap {

/// An executor that knows the types of its task. It gives partials, which run() merges.
template <map_reduce_task Task>
class backend : public executor {
 public:
  /// The reduced emits of all finished chunks. run() calls it once, after drive() has returned. A backend may
  /// use `pool` to combine the values of several workers.
  [[nodiscard]] virtual std::vector<partial_for<Task>> release_partials(worker_pool& pool) = 0;
};

}  // namespace duomap
