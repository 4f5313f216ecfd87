// Starts a thread for each executor, waits for all of them, and decides the outcome of the run.
#include "scheduler/dispatch/execute.hpp"

#include "core/begin_progress.hpp"
#include "core/error.hpp"
#include "scheduler/dispatch/dispatcher/overdue.hpp"
#include "scheduler/dispatch/run_state.hpp"
#include "scheduler/dispatch/worker_loop.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <limits>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace duomap::scheduler {
namespace {

// Whether a worker of a lone pool leaves its core to a start of devices, for which the run does not wait. If
// devices take part, the dispatcher decides this, because their start may end before the run does.
bool leaves_core(const run_state& run, unsigned index, unsigned worker) {
  return run.executors.size() == 1 && worker > 0 &&
         worker + run.options.reserved >= run.configs[index].workers;
}

// Whether the other workers of a lone pool took all grains before this worker begins. With this shortcut, 15
// late workers took 6 us together instead of 11.
bool comes_too_late(const run_state& run) {
  return run.executors.size() == 1 && run.pools && !run.input.has_streams() && run.shares.free_grains() == 0;
}

// The first pool; the end of the list if there is no pool.
auto first_pool(std::span<executor* const> executors) {
  return std::find_if(executors.begin(), executors.end(),
                      [](const executor* one) { return !one->traits().is_device(); });
}

// Leaves out an executor for which the system started no thread, here or in its own drive(). The others do
// its work if it is a device; otherwise the run ends.
void leave_out(run_state& run, unsigned index, const std::system_error& why) {
  const std::string what = "the system started no thread for " + run.executors[index]->name() + " (" +
                           why.what() + "); raise the limit on processes and threads (ulimit -u)";
  const bool ends_run =
      !run.configs[index].device || run.options.strict || !run.shares.others_take_part(index);
  {
    const std::lock_guard lock(run.mutex);
    outcome& its = run.outcomes[index];
    its.ended = true;
    its.trouble = what + "; the others have done its work";
    its.loss = std::make_exception_ptr(error(exit_status::failed, what));
    if (ends_run) its.failure = its.loss;
  }
  run.shares.failed(index);
  if (ends_run) run.stop();
}

// Uses only the shared state, because all other objects may be gone if the executor was abandoned.
void drive(const std::shared_ptr<run_state>& run, unsigned index) {
  std::exception_ptr failure;
  std::atomic<bool> begun{false};
  const auto work = [&](unsigned worker) {
    begun.store(true, std::memory_order_relaxed);
    if (leaves_core(*run, index, worker)) return;
    if (comes_too_late(*run)) return run->executors[index]->commit(worker);
    try {
      worker_loop(*run, index, worker).work_off();
    } catch (...) {
      // The other workers need not finish a result that will be thrown away.
      static_cast<void>(run->with_input(index, [&] { run->stop(); }));
      throw;
    }
  };
  try {
    bool left = true;
    if (run->options.caller_seconds > 0) {
      begun.store(true, std::memory_order_relaxed);
      left = !worker_loop(*run, index, 0).work_off(run->options.caller_seconds);
    }
    if (left) {
      if (!run->configs[index].device) run->woke_pool.store(true, std::memory_order_relaxed);
      run->executors[index]->drive(work);
    }
  } catch (const std::system_error& none_left) {
    if (!begun) {
      static_cast<void>(run->with_input(index, [&] { leave_out(*run, index, none_left); }));
      return run->changes.notify();
    }
    failure = std::current_exception();
  } catch (...) {
    failure = std::current_exception();
  }
  {
    const std::lock_guard lock(run->mutex);
    outcome& mine = run->outcomes[index];
    mine.ended = true;
    if (mine.abandoned) return;
    mine.failure = failure;
  }
  // The executor may have failed before its first worker ran.
  if (failure) static_cast<void>(run->with_input(index, [&] { run->stop(); }));
  run->changes.notify();
}

// Waits until `done(now)` is true. It is asked at the time `then` and whenever something has changed.
// Meanwhile overdue devices are given up.
template <class Done>
void wait_until(run_state& run, double then, const Done& done) {
  while (true) {
    const std::uint64_t count = run.changes.count();
    const double now = run.now();
    if (done(now)) return;
    if (const auto late = run.shares.overdue(now);
        late && (run.stopped.load(std::memory_order_relaxed) || run.shares.others_take_part(*late)))
      run.time_out(*late);
    run.changes.wait(count, std::min(then - now, hang_check_seconds));
  }
}

// Waits until each executor has ended or timed out.
void wait_for_all(run_state& run) {
  wait_until(run, std::numeric_limits<double>::infinity(), [&](double) {
    const std::lock_guard lock(run.mutex);
    return std::all_of(run.outcomes.begin(), run.outcomes.end(),
                       [](const outcome& one) { return one.ended || one.abandoned; });
  });
}

// Whether devices have done everything while pools were held back. Then nobody needs to wake the pools'
// workers and wait for the last of them. Waking 16 workers adds 0.05 ms
// to a run of 1 MiB on an H200.
bool done_without_pools(run_state& run) {
  if (!(run.options.hold_back_seconds > 0) || run.options.solo_warm_up || run.input.has_streams())
    return false;
  bool done = false;
  wait_until(run, run.options.hold_back_seconds, [&](double now) {
    done = run.shares.complete();
    return done || run.stopped.load(std::memory_order_relaxed) || !run.shares.pools_held_back(now);
  });
  return done;
}

}  // namespace

execution execute(chunk_source& all, std::span<executor* const> executors, run_control* control,
                  execute_options options) {
  begin_progress(control, all.known_units());
  if (executors.empty()) return {};
  const auto run = std::make_shared<run_state>(all, executors, control, std::move(options));
  const auto here = static_cast<std::size_t>(first_pool(executors) - executors.begin());
  std::vector<std::jthread> threads(executors.size());
  for (std::size_t i = 0; i < executors.size(); ++i) {
    if (i == here) continue;
    const auto index = static_cast<unsigned>(i);
    try {
      threads[i] = std::jthread([run, index] { drive(run, index); });
    } catch (const std::system_error& none_left) {
      leave_out(*run, index, none_left);
    } catch (...) {
      run->stop();  // the threads that were started end, and are joined
      throw;
    }
  }
  if (here < executors.size()) {
    if (done_without_pools(*run)) {
      const std::lock_guard lock(run->mutex);
      run->outcomes[here].ended = true;
    } else {
      drive(run, static_cast<unsigned>(here));
    }
  }
  wait_for_all(*run);

  for (std::size_t i = 0; i < executors.size(); ++i) {
    if (!threads[i].joinable()) continue;
    if (run->outcomes[i].abandoned) {
      threads[i].detach();
    } else {
      threads[i].join();
    }
  }
  for (const outcome& one : run->outcomes) {
    if (one.failure) std::rethrow_exception(one.failure);
  }
  if (!run->shares.complete()) {
    for (const outcome& one : run->outcomes) {
      if (one.loss) std::rethrow_exception(one.loss);
    }
    expects(false, "a run ended without an error and left work undone");
  }
  execution done;
  // A device that timed out may still write under the mutex. Its report was settled when it timed out.
  const std::lock_guard lock(run->mutex);
  for (std::size_t i = 0; i < executors.size(); ++i) done.executors.push_back(report_of(*run, i));
  done.woke_pool = run->woke_pool.load(std::memory_order_relaxed);
  done.timeline = timeline_of(*run);
  done.events_dropped = events_dropped(*run);
  return done;
}

}  // namespace duomap::scheduler
