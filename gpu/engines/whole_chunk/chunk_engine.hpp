// How a task maps whole chunks on a GPU: by an engine of its own. host safe
#pragma once

#include "core/task.hpp"

namespace duomap::gpu {

/// The engine of a task whose map is a function over whole chunks: a matrix product through a library, say.
/// Beside its map_chunk() for the CPU such a task declares, where it is defined,
///   template <>
///   inline constexpr bool duomap::gpu::has_chunk_engine<my_task> = true;
/// and its .cu file includes gpu/engines/whole_chunk/engine.cuh and specialises, before it instantiates
/// make_backends(),
///   template <>
///   class duomap::gpu::chunk_engine<my_task> final : public engine {
///    public:
///     chunk_engine(const my_task& task, const backend_options& options, const engine_surroundings& with,
///                  host_parts<my_task>& host);
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
