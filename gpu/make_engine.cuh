// The engine that runs a task.
#pragma once

#include "core/engine_kind.hpp"
#include "core/error.hpp"
#include "gpu/aggregate/aggregation.cuh"
#include "gpu/can_run.hpp"
#include "gpu/engine.hpp"
#include "gpu/host_part.hpp"
#include "gpu/object/reduction_object.cuh"
#include "gpu/options.hpp"
#include "gpu/runtime/stream.cuh"

#include <memory>
#include <string>

namespace duomap::gpu {

/// The first engine that can run the task, in the order of the enumeration: from the fewest passes over the
/// data to the most.
template <map_reduce_task Task>
[[nodiscard]] engine_kind default_engine() {
  for (const auto kind : {engine_kind::dense, engine_kind::reduction_object, engine_kind::sort}) {
    if (can_run<Task>(kind)) return kind;
  }
  throw usage_error("no GPU engine can run this task");
}

/// The engine options.engine names, or the default one. `task`'s arrays are on the device; `on` and `host`
/// must outlive the engine.
/// @throws usage_error when that engine cannot run the task
template <map_reduce_task Task>
[[nodiscard]] std::unique_ptr<engine> make_engine(const Task& task, const backend_options& options,
                                                  const stream& on, host_parts<Task>& host) {
  const engine_kind kind = options.engine.value_or(default_engine<Task>());
  if constexpr (can_run<Task>(engine_kind::reduction_object)) {
    if (kind == engine_kind::reduction_object) {
      if constexpr (aggregation_task<Task>) {
        const bool has_memory = options.table_bytes == 0 || options.table_bytes >= aggregation<Task>::least_bytes;
        // A mask is for the tables of the general path.
        if (options.path != aggregation_path::general && has_memory && options.hash_mask == ~std::uint64_t{0})
          return std::make_unique<aggregation<Task>>(task, options, on, host);
      }
      return std::make_unique<reduction_object<Task>>(task, options, on, host);
    }
  }
  throw usage_error("the engine " + std::string(name(kind)) + " cannot run this task");
}

}  // namespace duomap::gpu
