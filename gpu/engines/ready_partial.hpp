// Keeps an engine's results in a form that the merge reads directly.
// host only
#pragma once

#include "gpu/engines/host_partial.hpp"

#include <utility>

namespace duomap::gpu {

/// A partial that needs no further work.
template <map_reduce_task Task>
class ready_partial final : public host_partial<Task> {
 public:
  explicit ready_partial(partial_for<Task> all) : all_(std::move(all)) {}
  [[nodiscard]] partial_for<Task> release_partial(worker_pool& /*pool*/) override { return std::move(all_); }

 private:
  partial_for<Task> all_;
};

}  // namespace duomap::gpu
