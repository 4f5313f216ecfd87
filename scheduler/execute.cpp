#include "scheduler/execute.hpp"

#include "core/config.hpp"
#include "core/error.hpp"
#include "scheduler/bell.hpp"
#include "scheduler/course.hpp"
#include "scheduler/linear_fit.hpp"
#include "scheduler/plan.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

namespace duomap::scheduler {
namespace {

// Launching and waiting for one chunk, measured on an H200: 2.6 us to launch, 7.6 us to launch and
// synchronise.
constexpr double device_claim_seconds = 10e-6;
// How often who waits for all executors looks for those that hang.
constexpr double look_for_hanging_seconds = 0.1;

// Chunks of a worker whose times are kept: enough for a median, and for the growing chunks of a device.
constexpr std::size_t kept_samples = 32;
// So that a long run's timeline is no burden.
constexpr std::size_t most_events = 100'000;

// What one worker has done. Written by that worker; of a device also by who gives it up, under the mutex.
struct alignas(cache_separation) worker_tally {
  std::uint64_t chunks = 0;
  std::uint64_t units = 0;
  std::uint64_t uncommitted_chunks = 0;
  std::uint64_t uncommitted_units = 0;
  double seconds = 0;
  double wait_seconds = 0;
  double start_seconds = 0;
  double commit_seconds = 0;
  double copy_seconds = 0;
  double compute_seconds = 0;
  std::uint64_t refused = 0;
  std::vector<timed_chunk> samples;  // of the last chunks; sizes in units
  std::vector<timeline_event> timeline;
};

/// What became of an executor.
struct outcome {
  std::vector<worker_tally> tallies;
  std::exception_ptr failure;  // ends the run
  std::exception_ptr loss;     // ends it only if nobody is left
  std::string trouble;
  // Workers that wait. Relaxed: a ring too many or too few costs at most the time until they look again.
  std::atomic<unsigned> waiting{0};
  bool ended = false;      // its thread needs nothing any more
  bool abandoned = false;  // its thread may hang
};

std::vector<participant> participants(const work& all, std::span<executor* const> executors,
                                      const execute_options& options) {
  const double grains = std::max(all.grains(), 1U);
  const double units_per_grain = static_cast<double>(all.addressable_units()) / grains;
  std::vector<participant> who;
  for (std::size_t i = 0; i < executors.size(); ++i) {
    const executor& one = *executors[i];
    participant is{.workers = one.workers(),
                   .depth = one.depth(),
                   .device = one.claim_bytes() > 0,
                   .most_grains = all.options().most_grains,
                   .model = {},
                   .can_be_given_up = one.can_be_abandoned()};
    if (i < options.models.size()) {
      is.model = options.models[i];
      is.model.seconds_per_grain *= units_per_grain;
    } else if (is.device) {
      is.model.claim_seconds = device_claim_seconds;
      is.model.start_seconds = one.start_seconds();
    }
    if (is.device) {
      is.most_grains = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(
          one.claim_bytes() / all.grain(), 1, std::numeric_limits<std::uint32_t>::max()));
    }
    who.push_back(is);
  }
  return who;
}

/// What the threads of a run share. A thread of an abandoned executor may be the last to hold it.
struct run_state {
  run_state(work& todo, std::span<executor* const> all, run_control* progress, execute_options how)
    : input(todo),
      executors(all.begin(), all.end()),
      control(progress),
      options(std::move(how)),
      who(participants(todo, all, options)),
      planned(plan_split(todo.grains(), who)),
      shares(todo.grains(), who, options_of(todo)),
      outcomes(all.size()) {
    for (std::size_t i = 0; i < executors.size(); ++i) outcomes[i].tallies.resize(executors[i]->workers());
    pools = std::any_of(executors.begin(), executors.end(),
                        [](const auto* one) { return one->claim_bytes() == 0; });
  }

  [[nodiscard]] sharing_options options_of(const work& todo) const {
    sharing_options sharing = options_for(options.split, todo.grains(), who);
    sharing.late_chunk_seconds = options.late_chunk_seconds;
    sharing.late_commit_seconds = options.late_commit_seconds;
    return sharing;
  }

  [[nodiscard]] double now() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }

  void stop() {
    input.stop();
    changes.ring();
  }

  // What a device that is no more had done since its last commit did not happen. Called with mutex held.
  void take_back(unsigned who) {
    for (worker_tally& tally : outcomes[who].tallies) {
      tally.chunks -= tally.uncommitted_chunks;
      tally.units -= tally.uncommitted_units;
      if (control != nullptr)
        control->units_done.fetch_sub(tally.uncommitted_units, std::memory_order_relaxed);
      tally.uncommitted_chunks = 0;
      tally.uncommitted_units = 0;
    }
  }

  void give_up(unsigned who) {
    if (!shares.give_up(who, now())) return;
    const std::uint64_t commits = executors[who]->abandon();
    {
      const std::lock_guard lock(mutex);
      outcome& its = outcomes[who];
      its.abandoned = true;
      its.trouble = executors[who]->name() + " did not answer; the others have done its work";
      its.loss = std::make_exception_ptr(device_lost(executors[who]->name() + " does not answer"));
      if (!shares.given_up(who, commits)) take_back(who);
    }
    changes.ring();
  }

  work& input;
  const std::vector<executor*> executors;
  run_control* const control;
  const execute_options options;
  const std::vector<participant> who;
  const plan planned;
  sharing shares;
  bell changes;
  bool pools = false;
  const std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
  std::mutex mutex;
  std::vector<outcome> outcomes;  // `ended`, `abandoned`, and all of a device's: guarded by mutex
};

/// A device that threw out_of_memory or device_lost out of a call after which it cannot go on.
struct device_gone {
  std::exception_ptr why;
  std::string what;
};

/// One worker's loop: does what its course says.
class worker_loop {
 public:
  worker_loop(run_state& run, unsigned who, unsigned worker)
    : run_(run),
      on_(*run.executors[who]),
      who_(who),
      worker_(worker),
      device_(on_.claim_bytes() > 0),
      takes_blocks_(run.input.has_streams() && !(device_ && run.pools)),
      tally_(run.outcomes[who].tallies[worker]),
      course_(run.shares, who, device_),
      taker_(on_.depth()) {}

  void work_off() {
    const double begin = run_.now();
    try {
      // In this order: when a device has been given up, the input may be gone.
      while (!run_.shares.was_lost(who_) && !run_.input.stopped() && go_on()) {
      }
    } catch (const device_gone& gone) {
      if (run_.options.strict || course_.holds_blocks() || !run_.shares.others_take_part(who_))
        std::rethrow_exception(gone.why);
      account([&] {
        run_.take_back(who_);
        run_.outcomes[who_].loss = gone.why;
        run_.outcomes[who_].trouble = gone.what + "; the others have done its work";
      });
      run_.shares.lost(who_);
      run_.changes.ring();
    }
    const double seconds = run_.now() - begin;
    account([&] { tally_.seconds = seconds; });
  }

 private:
  // False: the worker is at its end.
  bool go_on() {
    const std::uint64_t rung = run_.changes.rung();
    if (takes_blocks_ && course_.has_room() && submit_block(false)) return true;
    const step next = course_.next(run_.now());
    switch (next.then) {
      case step::what::start: {
        const double seconds = timed("start", [&] { guarded([&] { on_.prepare(worker_); }); });
        course_.started(run_.now());
        account([&] { tally_.start_seconds = seconds; });
        return true;
      }
      case step::what::submit:
        submit(next.grains);
        return true;
      case step::what::finish:
        finish();
        return true;
      case step::what::commit: {
        // Streams may go on for longer than the grains.
        if (takes_blocks_ && submit_block(true)) return true;
        const double seconds = timed("commit", [&] { guarded([&] { on_.commit(worker_); }); });
        if (course_.committed(run_.now())) {
          account([&] {
            tally_.uncommitted_chunks = tally_.uncommitted_units = 0;
            tally_.commit_seconds = std::max(tally_.commit_seconds, seconds);
          });
        }
        run_.changes.ring();
        return true;
      }
      case step::what::give_up:
        run_.give_up(*next.other);
        return true;
      case step::what::wait: {
        if (takes_blocks_ && submit_block(true)) return true;
        const bool wakes =
            next.other && run_.outcomes[*next.other].waiting.load(std::memory_order_relaxed) > 0;
        if (wakes) run_.changes.ring();
        std::atomic<unsigned>& waiting = run_.outcomes[who_].waiting;
        waiting.fetch_add(1, std::memory_order_relaxed);
        const double waited =
            timed("wait", [&] { run_.changes.wait(wakes ? rung + 1 : rung, next.until - run_.now()); });
        waiting.fetch_sub(1, std::memory_order_relaxed);
        account([&] { tally_.wait_seconds += waited; });
        return true;
      }
      case step::what::end:
        return false;
    }
    return false;
  }

  // The seconds of a call, which the timeline gets too.
  template <class Call>
  double timed(const char* what, const Call& call) {
    const double begin = run_.now();
    call();
    const double end = run_.now();
    if (run_.options.timeline) {
      account([&] {
        if (tally_.timeline.size() < most_events) tally_.timeline.push_back({{}, what, begin, end});
      });
    }
    return end - begin;
  }

  // After finish(), commit() and prepare() a device that failed is gone; what a pool throws ends the run.
  template <class Call>
  void guarded(const Call& call) {
    if (!device_) return call();
    try {
      call();
    } catch (const device_lost& lost) {
      throw device_gone{std::current_exception(), lost.what()};
    } catch (const out_of_memory& full) {
      throw device_gone{std::current_exception(), full.what()};
    }
  }

  // The tallies of a device that was given up belong to who gave it up.
  template <class Change>
  void account(const Change& change) {
    if (!device_) return change();
    const std::lock_guard lock(run_.mutex);
    if (!run_.outcomes[who_].abandoned) change();
  }

  bool submit_block(bool wait) {
    const auto block = run_.input.next_block(taker_, wait);
    if (!block) return false;
    const double begin = run_.now();
    timed("submit", [&] {
      on_.submit(worker_, *block);
    });  // a block is gone with a device that is lost, and with it the run
    course_.submitted_block(begin);
    return true;
  }

  void submit(grain_range grains) {
    const work::part part = run_.input.cut(grains);
    if (!part.records) return course_.empty(part.grains, run_.now());
    const double begin = run_.now();
    const auto give = [&] {
      timed("submit", [&] { on_.submit(worker_, *part.records); });
    };
    if (!device_) {
      give();
    } else {
      try {
        give();
      } catch (const out_of_memory& full) {
        refused(full.what());
        return;
      } catch (const device_lost& lost) {
        throw device_gone{std::current_exception(), lost.what()};
      }
    }
    course_.submitted(part.grains, begin);
  }

  void refused(const std::string& why) {
    const bool goes_on = course_.refused();
    account([&] { ++tally_.refused; });
    run_.changes.ring();
    if (goes_on) return;
    if (!run_.shares.others_take_part(who_)) throw;
    const std::lock_guard lock(run_.mutex);
    run_.outcomes[who_].loss = std::current_exception();
    run_.outcomes[who_].trouble = why + "; the others have done the rest";
  }

  void finish() {
    guarded([&] {
      chunk_report report;
      timed("finish", [&] { report = on_.finish(worker_); });
      if (!course_.finished(run_.now())) return;
      account([&] {
        const timed_chunk sample{static_cast<double>(report.units), course_.last_seconds()};
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
        if (run_.control != nullptr)
          run_.control->units_done.fetch_add(report.units, std::memory_order_relaxed);
      });
    });
  }

  run_state& run_;
  executor& on_;
  unsigned who_;
  unsigned worker_;
  bool device_;
  bool takes_blocks_;
  worker_tally& tally_;
  course course_;
  work::taker taker_;
};

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

// The medians of what was measured.
void measure(std::vector<timed_chunk> samples, bool device, executor_report& report) {
  std::erase_if(samples, [](const timed_chunk& one) { return !(one.size > 0 && one.seconds > 0); });
  if (samples.empty()) return;
  if (device) {
    if (const auto fitted = fit_line(samples)) report.claim_seconds = fitted->fixed;
  }
  std::vector<double> paces;
  for (const timed_chunk& one : samples)
    paces.push_back(std::max(one.seconds - report.claim_seconds, one.seconds / 10) / one.size);
  const double middle = median(paces);
  for (double& pace : paces) pace = std::abs(pace - middle);
  report.deviation = median(std::move(paces)) / middle;
  report.seconds_per_unit = middle / report.workers;
}

executor_report report_of(const run_state& run, std::size_t who) {
  executor_report report;
  report.name = run.executors[who]->name();
  report.workers = run.who[who].workers;
  report.trouble = run.outcomes[who].trouble;
  report.planned_share = run.planned.parts[who].share;
  report.plan_reason = run.planned.parts[who].reason;
  std::vector<timed_chunk> samples;
  for (const worker_tally& tally : run.outcomes[who].tallies) {
    report.chunks += tally.chunks;
    report.units += tally.units;
    report.busy_seconds += tally.seconds - tally.wait_seconds;
    report.wait_seconds += tally.wait_seconds;
    report.start_seconds = std::max(report.start_seconds, tally.start_seconds);
    report.commit_seconds = std::max(report.commit_seconds, tally.commit_seconds);
    report.copy_seconds += tally.copy_seconds;
    report.compute_seconds += tally.compute_seconds;
    report.refused += tally.refused;
    samples.insert(samples.end(), tally.samples.begin(), tally.samples.end());
  }
  measure(std::move(samples), run.who[who].device, report);
  return report;
}

std::vector<timeline_event> timeline_of(const run_state& run) {
  std::vector<timeline_event> all;
  for (std::size_t who = 0; who < run.executors.size(); ++who) {
    for (std::size_t worker = 0; worker < run.outcomes[who].tallies.size(); ++worker) {
      std::string lane = run.executors[who]->name();
      if (run.who[who].workers > 1) lane += " worker " + std::to_string(worker);
      for (const timeline_event& event : run.outcomes[who].tallies[worker].timeline)
        all.push_back({lane, event.what, event.begin, event.end});
    }
  }
  return all;
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
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < executors.size(); ++i) {
    if (i != here) threads.emplace_back([run, i] { drive(run, static_cast<unsigned>(i)); });
  }
  if (here < executors.size()) drive(run, static_cast<unsigned>(here));
  wait_for_all(*run);

  std::size_t next = 0;
  for (std::size_t i = 0; i < executors.size(); ++i) {
    if (i == here) continue;
    std::thread& thread = threads[next++];
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
  }
  execution done;
  // Who was given up may still write; what is told of it was settled then.
  const std::lock_guard lock(run->mutex);
  for (std::size_t i = 0; i < executors.size(); ++i) done.executors.push_back(report_of(*run, i));
  done.planned_seconds = run->planned.seconds;
  done.timeline = timeline_of(*run);
  return done;
}

}  // namespace duomap::scheduler
