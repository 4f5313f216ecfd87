// How a task maps whole chunks on a GPU: by an engine of its own. host safe
#pragma once

#include "core/task.hpp"

namespace duomap::gpu {

/// The engine of a task whose map is a function over whole chunks: a matrix product through a library, say.
/// Beside its map_chunk() for the CPU such a task declares, where it is defined and in this namespace,
///   template <>
///   inline constexpr bool has_chunk_engine<nearest_rows> = true;
/// and its .cu file includes gpu/engines/whole_chunk/engine.cuh and specialises, before it instantiates
/// make_backends(),
///   template <>
///   class chunk_engine<nearest_rows> final : public engine {
/// whose constructor takes the task, its backend_options, the engine_surroundings and the host_parts, and
/// which fulfils gpu/engines/engine.hpp, amid what gpu/engines/engine_maker.hpp says: chunks come and are
/// counted, committed, given up and done again as with any engine. What it reduces it hands over by commit(),
/// as a host_part. What each chunk writes to a place of its own (rows of a product) need not be handed over:
/// a task may have `reduce = slots<>`, with nothing in it, and place its output
/// (gpu/engines/whole_chunk/placed_output.cuh) before finish_oldest() returns for the chunk.
template <class Task>
class chunk_engine;

template <class Task>
inline constexpr bool has_chunk_engine = false;

}  // namespace duomap::gpu
