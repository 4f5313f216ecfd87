#include "scheduler/dispatch/execute.hpp"

#include "core/add_note.hpp"
#include "core/begin_progress.hpp"
#include "core/error.hpp"
#include "scheduler/dispatch/dispatcher/overdue.hpp"
#include "scheduler/dispatch/run_state.hpp"
#include "scheduler/dispatch/worker_loop.hpp"
#include "scheduler/run.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
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

// Whether a worker leaves its core to a start of devices that a run of pools alone does not wait for. Beside
// devices that take part the dispatcher decides it, since their start may end first.
bool leaves_core(const run_state& run, unsigned index, unsigned worker) {
  return run.executors.size() == 1 && worker > 0 &&
         worker + run.options.reserved >= run.configs[index].workers;
}

// Whether the others of a lone pool have taken all before a worker begins. Its loop would find that out
// later: 15 workers that came too late took 11 us together, and 6 with this.
bool comes_too_late(const run_state& run) {
  return run.executors.size() == 1 && run.pools && !run.input.has_streams() && run.shares.free_grains() == 0;
}

// The end if there is none.
auto first_pool(std::span<executor* const> executors) {
  return std::find_if(executors.begin(), executors.end(),
                      [](const executor* one) { return !one->traits().is_device(); });
}

// A device for which the system has no thread left, here or in its own drive(): the others do its work, if
// there are any.
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

// Calls nothing that may be gone when the executor was abandoned: only the state it shares.
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
      // The others need not finish what will be thrown away.
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
  // Also when it failed before its first worker ran.
  if (failure) static_cast<void>(run->with_input(index, [&] { run->stop(); }));
  run->changes.notify();
}

// Until `done(now)` says so, which is asked whenever something has changed, and at `then`.
template <class Done>
void wait_until(run_state& run, double then, const Done& done) {
  while (true) {
    const std::uint64_t count = run.changes.count();
    const double now = run.now();
    if (done(now)) return;
    if (const auto late = run.shares.overdue(now);
        late && (run.stopped.load(std::memory_order_relaxed) || run.shares.others_take_part(*late)))
      run.time_out(*late);
    run.changes.wait(count, std::min(then - now, look_for_hanging_seconds));
  }
}

// Until each executor has ended or timed out.
void wait_for_all(run_state& run) {
  wait_until(run, std::numeric_limits<double>::infinity(), [&](double) {
    const std::lock_guard lock(run.mutex);
    return std::all_of(run.outcomes.begin(), run.outcomes.end(),
                       [](const outcome& one) { return one.ended || one.abandoned; });
  });
}

// Whether devices have done all while pools were held back: then nobody needs to wake their workers, twice,
// and to wait for the last of them. With 16 that were held back, 1 MiB of rows took an H200 0.72 ms, without
// them 0.67.
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
      run->stop();  // those that there are end, and are joined
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
  // A device that timed out may still write; what is told of it was settled then.
  const std::lock_guard lock(run->mutex);
  for (std::size_t i = 0; i < executors.size(); ++i) done.executors.push_back(report_of(*run, i));
  done.woke_pool = run->woke_pool.load(std::memory_order_relaxed);
  done.planned_seconds = run->planned.seconds;
  done.timeline = timeline_of(*run);
  done.events_dropped = events_dropped(*run);
  return done;
}

bool map_input(const input& from, const boundary& records, std::span<executor* const> executors,
               std::shared_ptr<void> keeps_alive, run_control* control, run_report& report,
               const execute_options* how) {
  const auto start = std::chrono::steady_clock::now();
  execute_options options;
  if (how != nullptr) options = *how;
  options.keeps_alive = std::move(keeps_alive);
  const auto pool = first_pool(executors);
  const bool small = is_small(from);
  // Nobody knows what a small input takes. With this it takes at most twice the time of the better choice.
  if (small && executors.size() == 1 && pool != executors.end() && (*pool)->traits().maps_records)
    options.caller_seconds = (*pool)->traits().wake_seconds;
  chunk_source all(from, records,
                   pool != executors.end()
                       ? options_for_pool((*pool)->workers(), (*pool)->traits().maps_records, small)
                       : options_for_devices(options.readers, options.memory),
                   control);
  execution done = all.name_stops_of([&] { return execute(all, executors, control, std::move(options)); });
  report.executors = std::move(done.executors);
  report.planned_seconds = done.planned_seconds;
  report.timeline = std::move(done.timeline);
  if (done.events_dropped > 0)
    report.notes.push_back("the timeline lacks " + std::to_string(done.events_dropped) +
                           " events at its end, for which it had no room");
  for (std::size_t i = 0; i < from.size(); ++i) add_note(report.notes, from[i].change());
  report.map_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  for (const executor_report& one : report.executors) {
    report.degraded = report.degraded || !one.trouble.empty();
    if (!one.trouble.empty()) report.notes.push_back(one.trouble);
  }
  for (std::size_t i = 0; i < executors.size(); ++i) {
    for (std::string& note : executors[i]->notes()) report.notes.push_back(std::move(note));
    report.executors[i].engine = executors[i]->figures();
  }
  report.sources = from.size();
  for (const executor_report& executor : report.executors) report.units += executor.units;
  return !small || done.woke_pool;
}

}  // namespace duomap::scheduler
