// The ways to run a task on a GPU, and the figures they report.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace duomap {

/// The kinds of engines. They differ in speed and never in the answer.
enum class engine_kind {
  custom,  ///< a function of the task maps each chunk as a whole, through a library or kernels of its own
  dense,   ///< an accumulator for each key, known beforehand, replicated close to the threads
  hash,    ///< a hash table in shared memory, backed by one in device memory; values meet in any order
  sort,    ///< emits are stored, sorted by key, and reduced in input order
};

/// All engines, in the order in which they are tried.
inline constexpr std::array engine_kinds = {engine_kind::custom, engine_kind::dense, engine_kind::hash,
                                            engine_kind::sort};

/// "custom", "dense", "hash" or "sort", as --gpu-engine takes them.
[[nodiscard]] std::string_view name(engine_kind kind) noexcept;

/// The figures of a GPU's engine, beside those that every executor reports. Figures of work that the engine
/// does not do are 0. Seconds are the device's, and overlap copies.
struct engine_figures {
  /// hash: emits that found no place in a block's table in shared memory and went to the table in
  /// device memory one by one.
  std::uint64_t past_block_tables = 0;
  double write_seconds = 0;   ///< sort: mapping again, to write the emits that the first pass only counted
  double group_seconds = 0;   ///< sort: sorting emits by key and finding where each key begins
  double reduce_seconds = 0;  ///< sort: reducing the values of each key
};

}  // namespace duomap
