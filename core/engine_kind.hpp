// The ways to run a task on a GPU.
#pragma once

#include <array>
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

}  // namespace duomap
