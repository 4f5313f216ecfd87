// The ways to run a task on a GPU.
#pragma once

#include <array>
#include <string_view>

namespace duomap {

/// Which one runs is a matter of speed and never changes the answer.
enum class engine_kind {
  whole_chunk,  ///< a function of the task maps each chunk as a whole, through a library or kernels of its
                ///< own
  dense,        ///< an accumulator for each key, known beforehand, replicated close to the threads
  reduction_object,  ///< a hash table in shared memory, backed by one in device memory; values meet in any
                     ///< order
  sort,              ///< emits are stored, sorted by key, and reduced in input order
};

/// All of them, in the order in which they are tried.
inline constexpr std::array engine_kinds = {engine_kind::whole_chunk, engine_kind::dense,
                                            engine_kind::reduction_object, engine_kind::sort};

/// "whole-chunk", "dense", "reduction-object" or "sort", as --engine takes them.
[[nodiscard]] std::string_view name(engine_kind kind) noexcept;

}  // namespace duomap
