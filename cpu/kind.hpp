// What registers the CPU's workers as the pool of a run (executor_kinds.hpp).
// host only
#pragma once

#include "core/backend.hpp"
#include "core/collect_budget.hpp"
#include "core/host_provider.hpp"
#include "cpu/cpu_backend.hpp"
#include "cpu/host.hpp"

#include <memory>
#include <utility>

namespace duomap::cpu {

struct kind {
  [[nodiscard]] static const host_provider& provider() { return this_host(); }

  template <map_reduce_task Task>
  [[nodiscard]] static std::unique_ptr<backend<Task>> make_backend(
      const Task& task, parallel& pool, std::shared_ptr<collect_budget> collected = nullptr) {
    return std::make_unique<cpu_backend<Task>>(task, pool, std::move(collected));
  }
};

}  // namespace duomap::cpu
