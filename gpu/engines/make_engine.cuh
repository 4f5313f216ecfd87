// The engine that runs a task.
#pragma once

#include "core/engine_kind.hpp"
#include "core/error.hpp"
#include "gpu/engines/can_run.hpp"
#include "gpu/engines/dense/engine.cuh"
#include "gpu/engines/dense/ordered/engine.cuh"
#include "gpu/engines/engine.hpp"
#include "gpu/engines/host_part.hpp"
#include "gpu/engines/reduction_object/engine.cuh"
#include "gpu/engines/reduction_object/partitioned/engine.cuh"
#include "gpu/engines/reduction_object/top_k/engine.cuh"
#include "gpu/engines/sort/engine.cuh"
#include "gpu/engines/whole_chunk/chunk_engine.hpp"
#include "gpu/options.hpp"
#include "gpu/runtime/stream.cuh"

#include <memory>
#include <string>

namespace duomap::gpu {

/// The engine that choose_engine() has named. `task`'s arrays are on the device; `host` and what `with` names
/// must outlive the engine.
/// @throws usage_error when that engine cannot run the task
template <map_reduce_task Task>
[[nodiscard]] std::unique_ptr<engine> make_engine(const Task& task, engine_kind kind,
                                                  const backend_options& options,
                                                  const engine_surroundings& with, host_parts<Task>& host) {
  [[maybe_unused]] const stream& on = with.compute;
  if constexpr (whole_chunk_task<Task>) {
    if (kind == engine_kind::whole_chunk)
      return std::make_unique<chunk_engine<Task>>(task, options, with, host);
  }
  if constexpr (can_run<Task>(engine_kind::dense)) {
    if (kind == engine_kind::dense) {
      if constexpr (order_matters<Task>) {
        return std::make_unique<ordered_engine<Task>>(task, options, on, host);
      } else {
        return std::make_unique<dense_engine<Task>>(task, on, host);
      }
    }
  }
  if constexpr (top_k_task<Task>) {
    if (kind == engine_kind::reduction_object)
      return std::make_unique<top_engine<Task>>(task, options, on, host);
  } else if constexpr (can_run<Task>(engine_kind::reduction_object)) {
    if (kind == engine_kind::reduction_object) {
      if constexpr (aggregation_task<Task>) {
        const bool has_memory =
            options.table_bytes == 0 || options.table_bytes >= aggregation<Task>::least_bytes;
        // Masks, and numbers of tables, are for the tables of the general path.
        if (options.path != aggregation_path::general && !options.block_tables && has_memory &&
            options.hash_mask == ~std::uint64_t{0})
          return std::make_unique<aggregation<Task>>(task, options, on, host);
      }
      return std::make_unique<reduction_object<Task>>(task, options, on, host);
    }
  }
  if constexpr (can_run<Task>(engine_kind::sort)) {
    if (kind == engine_kind::sort) return std::make_unique<sort_engine<Task>>(task, options, on, host);
  }
  throw usage_error("the engine " + std::string(name(kind)) + " cannot run this task");
}

}  // namespace duomap::gpu
