// How a benchmark measures a task on a GPU without bringing it any input.
// host only
#pragma once

#include "core/backend.hpp"
#include "core/byte_view.hpp"
#include "core/engine_kind.hpp"
#include "core/worker_pool.hpp"
#include "gpu/options.hpp"

#include <string>
#include <vector>

namespace duomap::gpu {

/// What run_resident() measured and found.
template <map_reduce_task Task>
struct resident_run {
  std::vector<double> seconds;     ///< of each run
  std::vector<std::string> notes;  ///< of the engine, each a sentence
  engine_figures figures;          ///< of all runs
  partial_for<Task> found;         ///< of the last run
};

/// Runs a task over one chunk that is in device memory already, run after run from the beginning: what is
/// measured starts with nothing but allocated memory and ends with the reduced keys in device memory.
template <map_reduce_task Task>
[[nodiscard]] resident_run<Task> run_resident(const Task& task, int device, byte_view bytes, unsigned runs,
                                              const backend_options& options, worker_pool& pool);

}  // namespace duomap::gpu
