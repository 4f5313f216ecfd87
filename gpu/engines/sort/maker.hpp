// Makes the sort engine, whose code may be in another .cu file (gpu/engines/engine_maker.hpp). host only
#pragma once

#include "core/engine_kind.hpp"
#include "gpu/engines/can_run.hpp"
#include "gpu/engines/engine.hpp"
#include "gpu/engines/engine_maker.hpp"
#include "gpu/engines/host_partial.hpp"
#include "gpu/options.hpp"

#include <memory>

namespace duomap::gpu {

/// Makes the engine. Defined in engine.cuh.
template <sort_task Task>
[[nodiscard]] std::unique_ptr<engine> make_sort_engine(const Task& task, const backend_options& options,
                                                       const stream& on, host_partials<Task>& host);

template <sort_task Task>
struct engine_maker<engine_kind::sort, Task> {
  static constexpr bool is_included = true;
  [[nodiscard]] static std::unique_ptr<engine> make(const Task& task, const backend_options& options,
                                                    const engine_surroundings& with,
                                                    host_partials<Task>& host) {
    return make_sort_engine(task, options, with.compute, host);
  }
};

}  // namespace duomap::gpu
