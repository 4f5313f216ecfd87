// Carries out the steps of one worker with its executor.
#include "scheduler/dispatch/worker_loop.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <optional>

namespace duomap::scheduler {
namespace {

// The number of chunks per worker whose times are kept. It is enough for a median, and for the growing chunks
// of a device.
constexpr std::size_t kept_samples = 32;

// The interval at which a device's thread asks whether the device has started.
constexpr double start_check_seconds = 1e-3;

/// Thrown when a device threw out_of_memory or device_lost and cannot go on.
struct device_gone {
  std::exception_ptr why;
  std::string what;
};

}  // namespace

worker_loop::worker_loop(run_state& run, unsigned index, unsigned worker)
  : run_(run),
    on_(*run.executors[index]),
    index_(index),
    worker_(worker),
    device_(run.configs[index].device),
    takes_blocks_(run.input.has_streams() && !(device_ && run.pools)),
    tally_(run.outcomes[index].tallies[worker]),
    state_machine_(run.shares, index, device_),
    taker_(run.configs[index].depth) {}

template <class Call>
double worker_loop::timed(const char* what, const Call& call, std::uint64_t units) {
  const double begin = run_.now();
  call();
  const double end = run_.now();
  if (tally_.events) tally_.events->add({what, event_log::lane::host, begin, end, units});
  return end - begin;
}

void worker_loop::log_chunk(const chunk_report& report) {
  using lane = event_log::lane;
  const double run_began = std::chrono::duration<double>(run_.begin.time_since_epoch()).count();
  const auto log = [&](const char* what, lane on, double seconds, double ended) {
    if (ended > 0)
      tally_.events->add({what, on, ended - seconds - run_began, ended - run_began, report.units});
  };
  log("copy", lane::copies, report.copy_seconds, report.copy_ended);
  log("map", lane::kernels, report.compute_seconds, report.compute_ended);
}

template <class Call>
void worker_loop::logged(const char* what, const Call& call, std::uint64_t units) {
  if (!run_.options.timeline) return call();
  timed(what, call, units);
}

template <class Call>
void worker_loop::guarded(const Call& call) {
  if (!device_) return call();
  try {
    call();
  } catch (const device_lost& failed) {
    throw device_gone{std::current_exception(), failed.what()};
  } catch (const out_of_memory& full) {
    throw device_gone{std::current_exception(), full.what()};
  }
}

template <class Change>
void worker_loop::account(const Change& change) {
  if (!device_) return change();
  const std::lock_guard lock(run_.mutex);
  if (!run_.outcomes[index_].abandoned) change();
}

bool worker_loop::work_off(double until) {
  const double begin = run_.now();
  bool left = true;
  const auto takes_more = [&] {
    return until == forever || run_.now() < until || !state_machine_.is_idle();
  };
  try {
    while (left && !run_.shares.has_failed(index_) && !run_.stopped.load(std::memory_order_relaxed) &&
           takes_more())
      left = go_on();
  } catch (const device_gone& gone) {
    if (run_.options.strict || state_machine_.holds_blocks() || !run_.shares.others_take_part(index_))
      std::rethrow_exception(gone.why);
    account([&] {
      run_.take_back(index_);
      run_.outcomes[index_].loss = gone.why;
      run_.outcomes[index_].trouble = gone.what + "; the others have done its work";
    });
    run_.shares.failed(index_);
    run_.changes.notify();
  }
  const double seconds = run_.now() - begin;
  account([&] { tally_.seconds += seconds; });
  return !left;
}

bool worker_loop::go_on() {
  const std::uint64_t count = run_.changes.count();
  if (takes_blocks_ && state_machine_.has_room() && submit_block(false)) return true;
  if (device_) state_machine_.start_takes(on_.start_seconds(), run_.now());
  const step next = state_machine_.next(run_.now());
  if (run_.shares.calls_workers()) run_.changes.notify();
  switch (next.then) {
    case step::what::start:
      return start(count);
    case step::what::submit:
      submit(next.grains);
      return true;
    case step::what::take_back: {
      bool yes = false;
      guarded([&] { yes = on_.take_back(worker_); });
      state_machine_.took_back(yes);
      if (yes) run_.changes.notify();
      return true;
    }
    case step::what::finish:
      finish();
      return true;
    case step::what::commit:
      // There may still be blocks of streams when all grains are taken.
      if (!(takes_blocks_ && submit_block(true))) commit();
      return true;
    case step::what::time_out:
      run_.time_out(*next.other);
      return true;
    case step::what::wait:
      if (!(takes_blocks_ && submit_block(true))) wait(next, count);
      return true;
    case step::what::end:
      // There may still be blocks that were read ahead, and this worker may be the last one to take them.
      return takes_blocks_ && submit_block(true);
  }
  return false;
}

// Starts the device. False: there is no such device, so nothing is lost.
bool worker_loop::start(std::uint64_t count) {
  switch (on_.begin_start()) {
    case start_progress::none:
      run_.shares.failed(index_);
      return false;
    case start_progress::going_on:
      timed("wait", [&] { run_.changes.wait(count, start_check_seconds); });
      return true;
    case start_progress::ready:
      break;
  }
  const double seconds = timed("start", [&] { guarded([&] { on_.prepare(worker_); }); });
  state_machine_.started(run_.now());
  account([&] { tally_.start_seconds = seconds; });
  return true;
}

void worker_loop::give(const chunk& part) {
  const auto submit = [&] {
    on_.submit(worker_, part);
  };
  if (device_) return logged("submit", submit, part.size);
  try {
    logged("map", submit, part.size);
  } catch (...) {
    rethrow_from_map(run_.input.place_of(part, on_.failed_at(worker_)));
  }
}

// If a device is lost while it has a block, the run fails.
bool worker_loop::submit_block(bool wait) {
  std::optional<chunk> block;
  if (!run_.with_input(index_, [&] { block = run_.input.next_block(taker_, wait); }) || !block) return false;
  if (device_) account([&] { run_.outcomes[index_].holds_blocks = true; });
  const double begin = run_.now();
  state_machine_.submits_block(begin);
  give(*block);
  state_machine_.submitted_block(begin, run_.now());
  return true;
}

void worker_loop::submit(grain_range grains) {
  if (run_.configs[index_].prefers_adjacent)
    grains.end = grains.begin + std::min(grains.size(), run_.shares.chunk_of_pool(index_));
  chunk_source::part part;
  if (!run_.with_input(index_, [&] { part = run_.input.cut(grains); })) return;
  if (!part.records) return state_machine_.empty(part.grains, run_.now());
  const double begin = run_.now();
  if (!device_) {
    give(*part.records);
  } else {
    try {
      give(*part.records);
    } catch (const out_of_memory& full) {
      return refused(full.what());
    } catch (const device_lost& failed) {
      throw device_gone{std::current_exception(), failed.what()};
    }
  }
  state_machine_.submitted(part.grains, begin);
}

// Called while an out_of_memory exception is being handled.
void worker_loop::refused(const std::string& why) {
  const bool goes_on = state_machine_.refused();
  account([&] { ++tally_.refused; });
  run_.changes.notify();
  if (goes_on) return;
  if (!run_.shares.others_take_part(index_)) throw;
  account([&] {
    run_.outcomes[index_].loss = std::current_exception();
    run_.outcomes[index_].trouble = why + "; the others have done the rest";
  });
}

void worker_loop::finish() {
  chunk_report report;
  const auto finish = [&] {
    guarded([&] { report = on_.finish(worker_); });
  };
  // For a pool there is nothing to wait for: it mapped the chunk in submit().
  if (device_) {
    state_machine_.finishes(run_.now());
    logged("finish", finish);
  } else {
    finish();
  }
  if (tally_.events) log_chunk(report);
  if (!state_machine_.finished(run_.now())) return;
  account([&] {
    const timed_chunk sample{static_cast<double>(report.units), state_machine_.last_seconds()};
    if (tally_.samples.size() < kept_samples) {
      tally_.samples.push_back(sample);
    } else {
      tally_.samples[tally_.chunks % kept_samples] = sample;
    }
    tally_.copy_seconds += report.copy_seconds;
    tally_.compute_seconds += report.compute_seconds;
    ++tally_.chunks;
    tally_.units += report.units;
    if (device_) {
      ++tally_.uncommitted_chunks;
      tally_.uncommitted_units += report.units;
    }
    if (run_.control != nullptr) {
      run_.control->units_done.fetch_add(report.units, std::memory_order_relaxed);
      if (device_) run_.control->gpu_units_done.fetch_add(report.units, std::memory_order_relaxed);
    }
  });
}

void worker_loop::commit() {
  const double seconds = timed("commit", [&] { guarded([&] { on_.commit(worker_); }); });
  if (state_machine_.committed(run_.now())) {
    account([&] {
      tally_.uncommitted_chunks = tally_.uncommitted_units = 0;
      if (device_) run_.outcomes[index_].holds_blocks = false;
      tally_.commit_seconds = std::max(tally_.commit_seconds, seconds);
    });
  }
  run_.changes.notify();
}

void worker_loop::wait(const step& next, std::uint64_t count) {
  const bool wakes = next.other && run_.outcomes[*next.other].waiting.load(std::memory_order_relaxed) > 0;
  if (wakes) run_.changes.notify();
  std::atomic<unsigned>& waiting = run_.outcomes[index_].waiting;
  waiting.fetch_add(1, std::memory_order_relaxed);
  const double waited =
      timed("wait", [&] { run_.changes.wait(wakes ? count + 1 : count, next.until - run_.now()); });
  waiting.fetch_sub(1, std::memory_order_relaxed);
  account([&] { tally_.wait_seconds += waited; });
}

}  // namespace duomap::scheduler
