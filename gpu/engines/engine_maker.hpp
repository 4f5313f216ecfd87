// Makes engines: each engine's header specialises engine_maker. host only
#pragma once

#include "core/engine_kind.hpp"
#include "core/task.hpp"

namespace duomap::gpu {

class feeder;
class read_gate;
class stream;

/// The objects that an engine works with. All of them outlive the engine.
struct engine_surroundings {
  const stream& compute;  ///< the stream on which chunks are mapped; it waits for their bytes
  const stream& copies;   ///< the stream of the feeder's copies
  feeder& feed;           ///< brings other input of the task to the device
  read_gate& gate;        ///< the engine reads and writes host memory of others only through it
  unsigned devices;       ///< number of GPUs in the run
};

/// Makes an engine for a task. The engine's header (engine.cuh in a folder of gpu/engines/) specialises it
/// for the tasks that the engine can run, with is_included = true and
///   static std::unique_ptr<engine> make(const Task& task, const backend_options& options,
///                                       const engine_surroundings& with, host_partials<Task>& host) {
/// A .cu file that does not include the header lacks the engine, and does not compile it. All .cu files of
/// one task must include the same engines.
///
/// The maker.hpp of some engines specialises it without the engine's code. A .cu file that includes
/// gpu/gpu_backend.cuh and the maker compiles without the engine; another .cu file of the task includes
/// engine.cuh and instantiates the function that the maker calls.
template <engine_kind Kind, map_reduce_task Task>
struct engine_maker {
  static constexpr bool is_included = false;
};

}  // namespace duomap::gpu
