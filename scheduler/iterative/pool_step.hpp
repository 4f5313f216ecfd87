// The pool's part of a step.
// host only
#pragma once

#include "core/backend.hpp"
#include "core/error.hpp"
#include "core/partial/partial_for.hpp"
#include "core/task.hpp"
#include "core/worker_pool.hpp"
#include "scheduler/dispatch/chunk_source.hpp"
#include "scheduler/dispatch/dispatcher/interval.hpp"
#include "scheduler/iterative/iteration_parts.hpp"
#include "scheduler/iterative/step_log.hpp"

#include <algorithm>
#include <cstdint>

namespace duomap::scheduler {

/// Maps grains on the workers of `on`. Each has one event in `log`, which may be null: then nobody looks at a
/// clock.
template <map_reduce_task Task>
[[nodiscard]] partial_for<Task> map_on_pool(const Task& task, const iteration_parts<Task>& how,
                                            worker_pool& on, const chunk_source& data, grain_range grains,
                                            step_log* log) {
  const auto workers = how.make_pool(task, on);
  interval left(grains);
  workers->drive([&](unsigned worker) {
    const double begin = log != nullptr ? how.clock() : 0;
    std::uint64_t units = 0;
    const std::uint32_t parts = 4 * workers->workers();
    while (true) {
      grain_range taken =
          left.take_front(std::clamp<std::uint32_t>(left.remaining() / parts, 1, data.options().most_grains));
      if (taken.empty()) break;
      while (!taken.empty()) {
        const chunk_source::part part = data.cut(taken);
        taken.begin = part.grains.end;
        if (!part.records) continue;
        try {
          workers->submit(worker, *part.records);
        } catch (...) {
          rethrow_from_map(data.place_of(*part.records, workers->failed_at(worker)));
        }
        static_cast<void>(workers->finish(worker));
        units += part.records->size;
      }
    }
    if (log != nullptr && units > 0) log->worker(worker).add(begin, how.clock(), units);
  });
  return std::move(workers->release_partials(on).front());
}

}  // namespace duomap::scheduler
