// How the engine of a kind is made; each engine's header says so for its own. host only
#pragma once

#include "core/engine_kind.hpp"
#include "core/task.hpp"

namespace duomap::gpu {

class feeder;
class read_gate;
class stream;

/// What an engine finds around it. All of it outlives the engine.
struct engine_surroundings {
  const stream& compute;  ///< where chunks are mapped: a chunk's bytes are there for what is queued on it
  const stream& copies;   ///< where the feeder queues its copies
  feeder& feed;           ///< brings to the device what else the task reads
  read_gate& gate;        ///< what all reading and writing of host memory passes that is not the engine's own
  unsigned devices;       ///< GPUs of the run
};

/// Makes an engine for a task. The engine's header (engine.cuh in a folder of gpu/engines/) specialises it
/// for the tasks that the engine can run, with is_included = true and
///   static std::unique_ptr<engine> make(const Task& task, const backend_options& options,
///                                       const engine_surroundings& with, host_partials<Task>& host) {
/// A .cu file that does not include the header has no such engine, and spends no time on it. Several .cu
/// files of one task must know the same engines.
///
/// Where an engine has a maker.hpp, that specialises it without the engine's code: a .cu file that includes
/// gpu/gpu_backend.cuh and the maker is compiled without it, and another one of the task includes engine.cuh
/// and instantiates the function that the maker calls.
template <engine_kind Kind, map_reduce_task Task>
struct engine_maker {
  static constexpr bool is_included = false;
};

}  // namespace duomap::gpu
