// Measures a task on a GPU without the time that input takes to get there.
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

/// The times and the result of run_resident().
template <map_reduce_task Task>
struct resident_run {
  std::vector<double> seconds;     ///< the seconds of each run
  std::vector<std::string> notes;  ///< notes of the engine, each a sentence
  engine_figures figures;          ///< figures of all runs together
  partial_for<Task> found;         ///< the result of the last run
};

/// Runs a task `runs` times over one chunk in device memory. A measured time begins with allocated memory and
/// no results, and ends with the reduced keys in device memory.
template <map_reduce_task Task>
[[nodiscard]] resident_run<Task> run_resident(const Task& task, int device, byte_view bytes, unsigned runs,
                                              const backend_options& options, worker_pool& pool);

}  // namespace duomap::gpu
