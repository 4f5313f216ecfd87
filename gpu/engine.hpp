// The seam between a GPU's executor, which moves chunks, and the engines, which know how to map and reduce
// one. host only
#pragma once

#include "core/chunk.hpp"
#include "core/reduce.hpp"
#include "core/task.hpp"

#include <concepts>
#include <string>
#include <string_view>

namespace duomap::gpu {

/// The ways to run a task on a GPU. Which one runs is a matter of speed and never changes the answer.
enum class engine_kind {
  dense,             ///< an accumulator for each key, known beforehand, replicated close to the threads
  reduction_object,  ///< a hash table in shared memory, backed by one in device memory; values meet in any
                     ///< order
  sort,              ///< emits are stored, sorted by key, and reduced in input order
};

/// "dense", "reduction-object" or "sort", as --engine takes them.
[[nodiscard]] std::string_view name(engine_kind kind) noexcept;

/// The engine of that name. Throws usage_error listing the names when there is none.
[[nodiscard]] engine_kind parse_engine(std::string_view text);

/// Whether an engine can give the task's answer at all, by the kind of its keys and the laws of its
/// reduction.
template <map_reduce_task Task>
[[nodiscard]] constexpr bool can_run(engine_kind kind) noexcept {
  using key = typename Task::key;
  using reduce = typename Task::reduce;
  constexpr bool keys_are_known = std::same_as<key, duomap::dense> || std::same_as<key, no_key>;
  constexpr bool has_slots = detail::is_slots<reduce>;
  constexpr bool keeps_everything = detail::is_collect<reduce>;
  switch (kind) {
    case engine_kind::dense:
      return keys_are_known && (reduction<reduce> || has_slots);
    case engine_kind::reduction_object:
      return !has_slots && !keeps_everything && !order_matters<Task>;
    case engine_kind::sort:
      return !has_slots;
  }
  return false;
}

/// An engine at work for one task on one stream of one device, behind calls per chunk. Used by one thread.
class engine {
 public:
  virtual ~engine() = default;

  [[nodiscard]] virtual engine_kind kind() const noexcept = 0;

  /// Queues map and reduce of a chunk behind what is already on the engine's stream, and returns without
  /// waiting. The chunk's bytes are in device memory, followed by as many bytes of padding as the engine asks
  /// for, and stay there until finish_oldest() has returned for it; source and offset are those of the input.
  /// Throws device_out_of_memory when nothing of the chunk was queued.
  virtual void enqueue(const chunk& resident) = 0;

  /// Waits for the oldest chunk that is not finished, and repeats what had no room: afterwards it is counted
  /// as a whole. Throws device_lost, and out_of_memory when a single tile of it does not fit into the memory
  /// that the engine may use; what was counted of the chunk is then part of no result.
  virtual void finish_oldest() = 0;

  /// Waits for everything queued and brings the reduced emits to host memory: they survive the device. Throws
  /// device_lost when they cannot be had; then everything since the last commit is lost, and nothing before.
  virtual void commit() = 0;
};

}  // namespace duomap::gpu
