// Makes the CPU's workers the pool of a run (duomap.hpp).
// host only
#pragma once

#include "core/backend.hpp"
#include "core/memory_reservation.hpp"
#include "cpu/cpu_backend.hpp"
#include "cpu/machine_pool.hpp"

#include <memory>
#include <utility>

namespace duomap {

class host_provider;

}  // namespace duomap

namespace duomap::cpu {

struct kind {
  /// Facts about this machine for the planner.
  [[nodiscard]] static const host_provider& provider();

  template <map_reduce_task Task>
  [[nodiscard]] static std::unique_ptr<backend<Task>> make_backend(const Task& task, worker_pool& pool,
                                                                   shared_budget memory = nullptr) {
    return std::make_unique<cpu_backend<Task>>(task, pool, std::move(memory));
  }

  /// Makes a pool of at most `threads` workers; 0: one for each core that this process may use.
  [[nodiscard]] static std::unique_ptr<worker_pool> make_pool(unsigned threads) {
    return machine_pool(threads);
  }
};

}  // namespace duomap::cpu
