#include "scheduler/execute.hpp"

#include "core/error.hpp"
#include "scheduler/run_state.hpp"
#include "scheduler/worker_loop.hpp"

#include <algorithm>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

namespace duomap::scheduler {
namespace {

// How often who waits for all executors looks for those that hang.
constexpr double look_for_hanging_seconds = 0.1;

// Calls nothing that may be gone when the executor was abandoned: only the state it shares.
void drive(const std::shared_ptr<run_state>& run, unsigned who) {
  std::exception_ptr failure;
  try {
    run->executors[who]->drive([&](unsigned worker) {
      try {
        worker_loop(*run, who, worker).work_off();
      } catch (...) {
        if (!run->shares.was_lost(who)) run->stop();  // the others need not finish what will be thrown away
        throw;
      }
    });
  } catch (...) {
    failure = std::current_exception();
  }
  {
    const std::lock_guard lock(run->mutex);
    outcome& mine = run->outcomes[who];
    mine.ended = true;
    if (mine.abandoned) return;
    mine.failure = failure;
  }
  if (failure) run->stop();  // also when it failed before its first worker ran
  run->changes.ring();
}

// Until each executor has ended or was given up.
void wait_for_all(run_state& run) {
  while (true) {
    const std::uint64_t rung = run.changes.rung();
    {
      const std::lock_guard lock(run.mutex);
      if (std::all_of(run.outcomes.begin(), run.outcomes.end(),
                      [](const outcome& one) { return one.ended || one.abandoned; }))
        return;
    }
    if (const auto late = run.shares.overdue(run.now());
        late && (run.input.stopped() || run.shares.others_take_part(*late)))
      run.give_up(*late);
    run.changes.wait(rung, look_for_hanging_seconds);
  }
}

}  // namespace

execution execute(work& all, std::span<executor* const> executors, run_control* control,
                  execute_options options) {
  if (control != nullptr) control->units_total.store(all.known_units(), std::memory_order_relaxed);
  if (executors.empty()) return {};
  const auto run = std::make_shared<run_state>(all, executors, control, std::move(options));
  const auto first_pool = std::find_if(executors.begin(), executors.end(),
                                       [](const executor* one) { return one->claim_bytes() == 0; });
  const auto here = static_cast<std::size_t>(first_pool - executors.begin());
  std::vector<std::jthread> threads;
  try {
    for (std::size_t i = 0; i < executors.size(); ++i) {
      if (i != here) threads.emplace_back([run, i] { drive(run, static_cast<unsigned>(i)); });
    }
  } catch (...) {
    run->stop();  // the system has no thread left; those that there are end, and are joined
    throw;
  }
  if (here < executors.size()) drive(run, static_cast<unsigned>(here));
  wait_for_all(*run);

  std::size_t next = 0;
  for (std::size_t i = 0; i < executors.size(); ++i) {
    if (i == here) continue;
    std::jthread& thread = threads[next++];
    if (run->outcomes[i].abandoned) {
      thread.detach();
    } else {
      thread.join();
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
  // Who was given up may still write; what is told of it was settled then.
  const std::lock_guard lock(run->mutex);
  for (std::size_t i = 0; i < executors.size(); ++i) done.executors.push_back(report_of(*run, i));
  done.planned_seconds = run->planned.seconds;
  done.timeline = timeline_of(*run);
  done.events_dropped = events_dropped(*run);
  return done;
}

}  // namespace duomap::scheduler
