// Registers the CPU's workers as the pool of a run (duomap.hpp).
// host only
#pragma once

#include "core/backend.hpp"
#include "core/memory_share.hpp"
#include "cpu/cpu_backend.hpp"
#include "cpu/machine_pool.hpp"

#include <memory>
#include <utility>

namespace duomap {

class host_provider;

}  // namespace duomap

namespace duomap::cpu {

struct kind {
  /// The facts about this machine that runs are planned with.
  [[nodiscard]] static const host_provider& provider();

  template <map_reduce_task Task>
  [[nodiscard]] static std::unique_ptr<backend<Task>> make_backend(const Task& task, worker_pool& pool,
                                                                   shared_budget memory = nullptr) {
    return std::make_unique<cpu_backend<Task>>(task, pool, std::move(memory));
  }

  /// At most `threads` workers; 0: as many as the machine has cores for this process.
  [[nodiscard]] static std::unique_ptr<worker_pool> make_pool(unsigned threads) {
    return machine_pool(threads);
  }
};

}  // namespace duomap::cpu
