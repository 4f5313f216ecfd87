// How a task maps whole chunks on a GPU: by an engine of its own. host safe
#pragma once

#include "core/task.hpp"

namespace duomap::gpu {

/// The engine of a task whose map is a function over whole chunks: a matrix product through a library, say.
/// Beside its map_chunk() for the CPU such a task declares, where it is defined and in this namespace,
///   template <>
///   inline constexpr bool has_custom_engine<nearest_rows> = true;
/// and its .cu file includes gpu/engines/custom/engine.cuh and specialises, before it instantiates
/// make_backends(),
///   template <>
///   class custom_engine<nearest_rows> final : public engine {
/// whose constructor takes the task, its backend_options, the engine_surroundings and the host_partials, and
/// which fulfils gpu/engines/engine.hpp, amid what gpu/engines/engine_maker.hpp says: chunks come and are
/// counted, committed, timed out and done again as with any engine. What it reduces it hands over by
/// commit(), as a host_partial. What each chunk writes to a place of its own (rows of a product) need not be
/// handed over: a task may have `reduce = slots<>`, with nothing in it, and place its output
/// (gpu/engines/custom/placed_output.cuh) before finish_oldest() returns for the chunk.
template <class Task>
class custom_engine;

template <class Task>
inline constexpr bool has_custom_engine = false;

}  // namespace duomap::gpu
