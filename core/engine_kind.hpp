// The engines, which are the ways to run a task on a GPU, and their figures.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace duomap {

/// The kinds of engines. They differ in speed and never in the answer.
enum class engine_kind {
  custom,  ///< a function of the task maps each chunk as a whole, through a library or kernels of its own
  dense,   ///< an accumulator for each key; threads have copies of the accumulators near them
  hash,    ///< a hash table in shared memory, a larger one in device memory; values meet in any order
  sort,    ///< emits are stored, sorted by key, and reduced in input order
};

/// All engines, in the order in which they are tried.
inline constexpr std::array engine_kinds = {engine_kind::custom, engine_kind::dense, engine_kind::hash,
                                            engine_kind::sort};

/// The engine's name as --gpu-engine takes it: "custom", "dense", "hash" or "sort".
[[nodiscard]] std::string_view name(engine_kind kind) noexcept;

/// The figures of a GPU's engine, beside the figures of every executor. A figure is 0 if the engine does no
/// such work. Seconds are measured on the device; copies may go on at the same time.
struct engine_figures {
  /// The hash engine: emits that found no place in the table of their block, in shared memory. Each of them
  /// went straight to the table in device memory.
  std::uint64_t past_block_tables = 0;
  double write_seconds = 0;   ///< sort: mapping again, to write the emits that the first pass only counted
  double group_seconds = 0;   ///< sort: sorting emits by key and finding where each key begins
  double reduce_seconds = 0;  ///< sort: reducing the values of each key
};

}  // namespace duomap
