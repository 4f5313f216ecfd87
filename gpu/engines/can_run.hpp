// Decides which engines can run a task. host safe
#pragma once

#include "core/engine_kind.hpp"
#include "core/record/formats.hpp"
#include "core/task.hpp"
#include "core/task_members.hpp"
#include "gpu/engines/custom/custom_engine.hpp"

#include <algorithm>
#include <concepts>
#include <cstdint>

namespace duomap::gpu {

namespace detail {

template <class Format>
inline constexpr bool is_rows = false;
template <class T>
inline constexpr bool is_rows<rows<T>> = true;

}  // namespace detail

/// Record formats whose records can be found on a device (gpu/record/record_tile.cuh).
template <class Format>
concept device_format = std::same_as<Format, words> || std::same_as<Format, lines> ||
    std::same_as<Format, fields> || std::same_as<Format, strips> || std::same_as<Format, markup> ||
    std::same_as<Format, index_range> || detail::is_rows<Format>;

/// Tasks whose map runs on a device, record by record.
template <class Task>
concept device_map = map_reduce_task<Task> && device_format<typename Task::format> && maps_records<Task>;

/// Tasks of the dense engine: dense keys or no key, with a reduction or slots. Strips are left out, because
/// the dense engine cannot find them.
template <class Task>
concept dense_task =
    device_map<Task> && !std::same_as<typename Task::format, strips> && !hashed_key<typename Task::key> &&
    (reduction<typename Task::reduce> || duomap::detail::is_slots<typename Task::reduce>);

/// Tasks of the hash engine: hashed keys under a reduction that commutes.
template <class Task>
concept hash_task = device_map<Task> && hashed_key<typename Task::key> && reduction<typename Task::reduce> &&
    !order_matters<Task>;

/// Hash tasks whose emits fit into registers (gpu/engines/hash_partitioned/): numbered records, keys of up to
/// 8 bytes, values of up to 32, no items, and up to four emits for each record, which take up to 128 bytes.
template <class Task>
concept aggregation_task = hash_task<Task> &&(std::same_as<typename Task::format, index_range> ||
                                              detail::is_rows<typename Task::format>)&&!torture_hash
                           && !takes_items<typename Task::reduce> && fixed_size_key<typename Task::key> &&
                           sizeof(typename Task::key) <= 8 &&
                           sizeof(typename Task::reduce::value_type) <= 32 &&
                           std::default_initializable<typename Task::reduce::value_type> && requires {
  requires(max_emits_of<Task> >= 1) && (max_emits_of<Task> <= 4) &&
      (max_emits_of<Task> * (8 + sizeof(typename Task::reduce::value_type)) <= 128);
};

/// Tasks of the sort engine: any key, under collect or a reduction. Values stay in registers while they are
/// reduced, hence the limit on their size.
template <class Task>
concept sort_task = device_map<Task> && std::default_initializable<typename Task::reduce::value_type> &&
    (duomap::detail::is_collect<typename Task::reduce> ||
     (reduction<typename Task::reduce> && !std::same_as<typename Task::reduce::value_type, byte_view> &&
      sizeof(typename Task::reduce::value_type) <= 1024));

/// The largest value of a top-k task on a GPU, in bytes. Tasks with larger values run on the CPU.
inline constexpr std::uint64_t most_top_value_bytes = 1024;

/// Top-k tasks, for a variant of the hash engine: without a key or with dense keys, and with values small
/// enough to be sorted in shared memory.
template <class Task>
concept top_k_task =
    device_map<Task> && duomap::detail::is_top_k<typename Task::reduce> && !hashed_key<typename Task::key> &&
    sizeof(typename Task::reduce::value_type) <= most_top_value_bytes;

/// Tasks that have an engine of their own (gpu/engines/custom/custom_engine.hpp).
template <class Task>
concept custom_task =
    map_reduce_task<Task> && has_custom_engine<Task> && device_format<typename Task::format>;

/// Whether an engine of this kind can compute the task's result.
template <map_reduce_task Task>
[[nodiscard]] constexpr bool can_run(engine_kind kind) noexcept {
  switch (kind) {
    case engine_kind::custom:
      return custom_task<Task>;
    case engine_kind::dense:
      return dense_task<Task>;
    case engine_kind::hash:
      return hash_task<Task> || top_k_task<Task>;
    case engine_kind::sort:
      return sort_task<Task>;
  }
  return false;
}

/// Whether any engine can run the task.
template <map_reduce_task Task>
[[nodiscard]] constexpr bool can_run() noexcept {
  return std::any_of(engine_kinds.begin(), engine_kinds.end(),
                     [](engine_kind kind) { return can_run<Task>(kind); });
}

/// Whether any engine can run a class as a task. False for a class that is no task; another check refuses
/// such a class.
template <class Task>
inline constexpr bool has_engine = requires {
  requires can_run<Task>();
};

}  // namespace duomap::gpu
