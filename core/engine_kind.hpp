// The ways to run a task on a GPU, and what they report.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace duomap {

/// Which one runs is a matter of speed and never changes the answer.
enum class engine_kind {
  custom,  ///< a function of the task maps each chunk as a whole, through a library or kernels of its own
  dense,   ///< an accumulator for each key, known beforehand, replicated close to the threads
  hash,    ///< a hash table in shared memory, backed by one in device memory; values meet in any order
  sort,    ///< emits are stored, sorted by key, and reduced in input order
  // Their names up to 0.1.
  whole_chunk [[deprecated("is called custom now")]] = custom,
  reduction_object [[deprecated("is called hash now")]] = hash,
};

/// All of them, in the order in which they are tried.
inline constexpr std::array engine_kinds = {engine_kind::custom, engine_kind::dense, engine_kind::hash,
                                            engine_kind::sort};

/// "custom", "dense", "hash" or "sort", as --engine takes them.
[[nodiscard]] std::string_view name(engine_kind kind) noexcept;

/// What an engine is called now that was called `text` up to 0.1; empty when none was.
[[nodiscard]] std::string_view new_engine_name(std::string_view text) noexcept;

/// What a GPU's engine did, beside what every executor reports. Zeros are of what the engine does not do.
/// Seconds are the device's, and overlap copies.
struct engine_figures {
  /// hash: emits that found no place in a block's table in shared memory and went to the table in
  /// device memory one by one.
  std::uint64_t past_block_tables = 0;
  double write_seconds = 0;   ///< sort: mapping again, to write what the first time only counted
  double group_seconds = 0;   ///< sort: sorting emits by key and finding where each key begins
  double reduce_seconds = 0;  ///< sort: reducing the values of each key
};

}  // namespace duomap
