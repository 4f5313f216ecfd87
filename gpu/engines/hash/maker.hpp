// Makes the hash engine, whose code may be in another .cu file (gpu/engines/engine_maker.hpp).
// host only
#pragma once

#include "core/engine_kind.hpp"
#include "gpu/engines/can_run.hpp"
#include "gpu/engines/engine.hpp"
#include "gpu/engines/engine_maker.hpp"
#include "gpu/engines/host_partial.hpp"
#include "gpu/options.hpp"

#include <memory>

namespace duomap::gpu {

/// Makes the engine for any hash task, also for tasks that have a special variant. Defined in engine.cuh.
template <hash_task Task>
[[nodiscard]] std::unique_ptr<engine> make_hash_engine(const Task& task, const backend_options& options,
                                                       const stream& on, host_partials<Task>& host);

template <hash_task Task>
  requires(!aggregation_task<Task>)
struct engine_maker<engine_kind::hash, Task> {
  static constexpr bool is_included = true;
  [[nodiscard]] static std::unique_ptr<engine> make(const Task& task, const backend_options& options,
                                                    const engine_surroundings& with,
                                                    host_partials<Task>& host) {
    return make_hash_engine(task, options, with.compute, host);
  }
};

}  // namespace duomap::gpu
