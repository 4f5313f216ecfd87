// Chooses and makes the engine of a task, among the engines that the .cu file includes.
#pragma once

#include "core/engine_kind.hpp"
#include "core/error.hpp"
#include "gpu/engines/can_run.hpp"
#include "gpu/engines/engine.hpp"
#include "gpu/engines/engine_choice.hpp"
#include "gpu/engines/engine_maker.hpp"
#include "gpu/engines/host_partial.hpp"
#include "gpu/options.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace duomap::gpu {

/// The header of the engine of this kind for the task.
template <map_reduce_task Task>
[[nodiscard]] constexpr std::string_view header_of(engine_kind kind) noexcept {
  switch (kind) {
    case engine_kind::custom:
      return "gpu/engines/custom/engine.cuh";
    case engine_kind::dense:
      return order_matters<Task> ? "gpu/engines/dense/ordered/engine.cuh" : "gpu/engines/dense/engine.cuh";
    case engine_kind::hash:
      return top_k_task<Task>         ? "gpu/engines/top_k/engine.cuh"
             : aggregation_task<Task> ? "gpu/engines/hash_partitioned/engine.cuh"
                                      : "gpu/engines/hash/engine.cuh";
    case engine_kind::sort:
      return "gpu/engines/sort/engine.cuh";
  }
  return "gpu/engines/all.cuh";
}

/// The task's default engine: choose_engine() takes it if the options name no engine.
template <map_reduce_task Task>
  requires(can_run<Task>())
[[nodiscard]] constexpr engine_kind default_engine() noexcept {
  return *std::find_if(engine_kinds.begin(), engine_kinds.end(),
                       [](engine_kind kind) { return can_run<Task>(kind); });
}

namespace detail {

/// Compiles only if the header of the default engine is included. Otherwise also returns false, so that the
/// compiler reports no further errors. Each header has a message of its own, because compilers show no
/// message that is put together.
template <map_reduce_task Task>
[[nodiscard]] constexpr bool has_default_engine() {
  constexpr engine_kind kind = default_engine<Task>();
  constexpr std::string_view missing = engine_maker<kind, Task>::is_included ? "" : header_of<Task>(kind);
  static_assert(missing != "gpu/engines/dense/engine.cuh",
                "this .cu file has no GPU engine for the task: include gpu/engines/dense/engine.cuh");
  static_assert(missing != "gpu/engines/dense/ordered/engine.cuh",
                "this .cu file has no GPU engine for the task: include gpu/engines/dense/ordered/engine.cuh");
  static_assert(missing != "gpu/engines/hash/engine.cuh",
                "this .cu file has no GPU engine for the task: include gpu/engines/hash/engine.cuh");
  static_assert(missing != "gpu/engines/hash_partitioned/engine.cuh",
                "this .cu file has no GPU engine for the task: include "
                "gpu/engines/hash_partitioned/engine.cuh");
  static_assert(missing != "gpu/engines/top_k/engine.cuh",
                "this .cu file has no GPU engine for the task: include gpu/engines/top_k/engine.cuh");
  static_assert(missing != "gpu/engines/sort/engine.cuh",
                "this .cu file has no GPU engine for the task: include gpu/engines/sort/engine.cuh");
  static_assert(missing != "gpu/engines/custom/engine.cuh",
                "this .cu file has no GPU engine for the task: include gpu/engines/custom/engine.cuh");
  return missing.empty();
}

/// Calls use() with the maker of an engine.
template <map_reduce_task Task, class Use>
auto with_maker(engine_kind kind, const Use& use) {
  switch (kind) {
    case engine_kind::custom:
      return use(engine_maker<engine_kind::custom, Task>{});
    case engine_kind::dense:
      return use(engine_maker<engine_kind::dense, Task>{});
    case engine_kind::hash:
      return use(engine_maker<engine_kind::hash, Task>{});
    case engine_kind::sort:
      return use(engine_maker<engine_kind::sort, Task>{});
  }
  throw usage_error("there is no such engine");
}

}  // namespace detail

/// Returns the engine that was asked for, or the default engine.
/// @throws usage_error if it cannot run the task, or if the .cu file does not include it
template <map_reduce_task Task>
[[nodiscard]] engine_choice choose_engine(std::optional<engine_kind> wanted) {
  static_assert(detail::has_default_engine<Task>());
  engine_choice choice = choose_engine(kind_of<Task>(), wanted);
  if (!detail::with_maker<Task>(choice.kind, []<class Maker>(Maker) { return Maker::is_included; }))
    throw usage_error("this program has no " + std::string(name(choice.kind)) +
                      " engine for the task: its .cu file does not include " +
                      std::string(header_of<Task>(choice.kind)));
  return choice;
}

/// Makes the engine that choose_engine() has named. `task`'s arrays are on the device. `host` and the objects
/// of `with` must outlive the engine.
/// @throws usage_error if the .cu file has no such engine for the task
template <map_reduce_task Task>
[[nodiscard]] std::unique_ptr<engine> make_engine(const Task& task, engine_kind kind,
                                                  const backend_options& options,
                                                  const engine_surroundings& with,
                                                  host_partials<Task>& host) {
  return detail::with_maker<Task>(kind, [&]<class Maker>(Maker) -> std::unique_ptr<engine> {
    if constexpr (Maker::is_included) {
      return Maker::make(task, options, with, host);
    } else {
      throw usage_error("there is no " + std::string(name(kind)) + " engine for the task");
    }
  });
}

}  // namespace duomap::gpu
