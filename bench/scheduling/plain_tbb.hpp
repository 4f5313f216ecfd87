// Runs a task on oneTBB alone, without duomap's scheduler, as the baseline for runs on the CPU.
// host only
#pragma once

#include "core/boundary.hpp"
#include "core/error.hpp"
#include "core/input/input.hpp"
#include "core/input/slice.hpp"
#include "core/result.hpp"
#include "core/task.hpp"
#include "core/worker_pool.hpp"
#include "cpu/cpu_backend.hpp"
#include "scheduler/dispatch/chunk_source.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace duomap::apps {

/// Runs `task` by tbb::parallel_for over the only source of `from`, which must be addressable. `arena` has
/// one thread for each worker of `pool`. A oneTBB task does one leaf: the largest chunk that a pool claims,
/// or an eighth of a thread's share if that is less, so that threads share small inputs evenly. Map,
/// containers and merge are those of the CPU backend.
template <map_reduce_task Task>
[[nodiscard]] result_for<Task> run_on_plain_tbb(const Task& task, const input& from, tbb::task_arena& arena,
                                                worker_pool& pool) {
  using range = tbb::blocked_range<std::uint64_t>;
  expects(from.size() == 1 && from[0].addressable(), "plain oneTBB runs over one addressable source");
  const format_boundary<typename Task::format> records(format_of(task));
  const std::uint64_t units = from[0].units();
  const std::uint64_t grains = (units + records.grain() - 1) / records.grain();
  const std::uint64_t leaf =
      records.grain() * std::clamp<std::uint64_t>(grains / (8 * pool.workers()), 1,
                                                  scheduler::chunk_source_options{}.most_grains);
  cpu::cpu_backend<Task> containers(task, pool);
  arena.execute([&] {
    tbb::parallel_for(
        range(0, (units + leaf - 1) / leaf, 1),
        [&](const range& leaves) {
          const auto worker = static_cast<unsigned>(tbb::this_task_arena::current_thread_index());
          for (std::uint64_t i = leaves.begin(); i < leaves.end(); ++i) {
            const auto part = slice(from[0], 0, i * leaf, std::min((i + 1) * leaf, units), records);
            if (part) containers.submit(worker, *part);
          }
        },
        tbb::simple_partitioner());
  });
  return make_result(task, std::move(containers.release_partials(pool).front()), pool);
}

}  // namespace duomap::apps
