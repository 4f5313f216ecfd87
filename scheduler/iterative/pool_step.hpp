// Maps the pool's part of a step.
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

/// The partial of a pool in a step, and whether threads other than the calling thread worked on it.
template <map_reduce_task Task>
struct pool_part {
  partial_for<Task> found;
  bool woke_pool = true;
};

/// Maps grains on the workers of `on`. For the first `alone_seconds`, the calling thread maps alone while the
/// workers sleep. Each worker has one event in `log`, and the first worker another one for the time alone.
/// `log` may be null.
template <map_reduce_task Task>
[[nodiscard]] pool_part<Task> map_on_pool(const Task& task, const iteration_parts<Task>& how, worker_pool& on,
                                          double alone_seconds, const chunk_source& data, grain_range grains,
                                          step_log* log) {
  const auto workers = how.make_pool(task, on);
  interval left(grains);
  const auto map = [&](unsigned worker, grain_range taken) {
    std::uint64_t units = 0;
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
    return units;
  };
  const auto logged = [&](unsigned worker, const auto& map_some) {
    const double begin = log != nullptr ? how.clock() : 0;
    const std::uint64_t units = map_some();
    if (log != nullptr && units > 0) log->worker(worker).add(begin, how.clock(), units);
  };
  if (alone_seconds > 0) {
    logged(0, [&] {
      const double end = how.clock() + alone_seconds;
      std::uint64_t units = 0;
      // Each claim is twice as large as the last, but never more than an eighth of the rest, because costly
      // records may be anywhere.
      std::uint32_t most = 1;
      while (left.remaining() > 0 && how.clock() < end) {
        units += map(0, left.take_front(std::clamp<std::uint32_t>(left.remaining() / 8, 1, most)));
        most = std::min(2 * most, data.grains());
      }
      return units;
    });
  }
  const bool wakes = left.remaining() > 0;
  if (wakes) {
    workers->drive([&](unsigned worker) {
      logged(worker, [&] {
        std::uint64_t units = 0;
        const std::uint32_t parts = 4 * workers->workers();
        while (true) {
          const grain_range taken = left.take_front(
              std::clamp<std::uint32_t>(left.remaining() / parts, 1, data.options().most_grains));
          if (taken.empty()) return units;
          units += map(worker, taken);
        }
      });
    });
  }
  sequential caller;
  return {std::move(workers->release_partials(wakes ? on : caller).front()), wakes};
}

}  // namespace duomap::scheduler
