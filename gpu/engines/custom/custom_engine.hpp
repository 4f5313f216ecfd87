// Declares the engine with which a task maps whole chunks on a GPU. host safe
#pragma once

#include "core/task.hpp"

namespace duomap::gpu {

/// The engine of a task whose map is a function of whole chunks, such as a matrix product of a library.
/// Beside its map_chunk() for the CPU, such a task declares, where it is defined and in this namespace,
///   template <>
///   inline constexpr bool has_custom_engine<nearest_rows> = true;
/// Its .cu file includes gpu/engines/custom/engine.cuh and specialises, before it instantiates
/// make_backends(),
///   template <>
///   class custom_engine<nearest_rows> final : public engine {
/// The constructor takes the task, its backend_options, the engine_surroundings and the host_partials
/// (gpu/engines/engine_maker.hpp). The class fulfils gpu/engines/engine.hpp: its chunks are counted,
/// committed, timed out and repeated like any other engine's. commit() hands over its reduced emits as a
/// host_partial. A chunk may also write output to a place of its own, such as rows of a product. For that the
/// task may have an empty `reduce = slots<>`, and the engine places the output
/// (gpu/engines/custom/placed_output.cuh) before finish_oldest() returns for the chunk.
template <class Task>
class custom_engine;

template <class Task>
inline constexpr bool has_custom_engine = false;

}  // namespace duomap::gpu
