// Makes the engine that a task defines for itself.
#pragma once

#include "core/partial/all.hpp"
#include "gpu/engines/can_run.hpp"
#include "gpu/engines/custom/custom_engine.hpp"
#include "gpu/engines/engine.hpp"
#include "gpu/engines/engine_maker.hpp"
#include "gpu/engines/host_partial.hpp"
#include "gpu/options.hpp"

#include <memory>

namespace duomap::gpu {

template <custom_task Task>
struct engine_maker<engine_kind::custom, Task> {
  static constexpr bool is_included = true;
  [[nodiscard]] static std::unique_ptr<engine> make(const Task& task, const backend_options& options,
                                                    const engine_surroundings& with,
                                                    host_partials<Task>& host) {
    return std::make_unique<custom_engine<Task>>(task, options, with, host);
  }
};

}  // namespace duomap::gpu
