// Makes the shared state of a run, gives devices up, and reports.
#include "scheduler/dispatch/run_state.hpp"

#include "core/error.hpp"
#include "scheduler/dispatch/shares_by_hand.hpp"
#include "scheduler/thresholds/dispatch_thresholds.hpp"
#include "scheduler/thresholds/planner_thresholds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace duomap::scheduler {
namespace {

// The number of events per worker. They take 4 MB if written, and cover 50 GB per worker in 1 MiB chunks.
constexpr std::size_t most_events = 100'000;

dispatch_options dispatch_options_of(const std::vector<executor_config>& configs,
                                     const execute_options& how) {
  dispatch_options made;
  if (how.share.policy == share_policy::by_hand) {
    made.rule = dispatch_rule::split;
    made.shares = shares_by_hand(how.share.gpu_share, configs);
  }
  made.late_chunk_seconds = how.late_chunk_seconds;
  made.late_commit_seconds = how.late_commit_seconds;
  made.hold_back_seconds = how.hold_back_seconds;
  made.reserved = how.reserved;
  made.caller_seconds = how.caller_seconds;
  made.solo_warm_up = how.solo_warm_up;
  made.start_after_seconds = how.start_after_seconds;
  return made;
}

// The average number of units in a grain.
double mean_units(const chunk_source& all) {
  return static_cast<double>(all.addressable_units()) / std::max(all.grains(), 1U);
}

// Computes the rate of an executor, its deviation and its fixed cost from samples.
void measure(std::vector<timed_chunk> samples, bool device, executor_report& report) {
  std::erase_if(samples, [](const timed_chunk& one) { return !(one.size > 0 && one.seconds > 0); });
  if (samples.empty()) return;
  double claim = 0;
  if (device) {
    double largest = 0;
    for (const timed_chunk& one : samples) largest = std::max(largest, one.size);
    if (samples.size() < measured_thresholds.few) return;
    if (const auto fitted = fit_line(samples)) report.claim_seconds = fitted->fixed;
    claim = std::max(report.claim_seconds, dispatch_thresholds::device_claim_seconds);
    std::erase_if(samples, [&](const timed_chunk& one) { return one.size < largest / 2; });
  }
  std::vector<double> rates;
  double seconds = 0;
  double size = 0;
  for (const timed_chunk& one : samples) {
    rates.push_back(without_fixed(one.seconds, claim) / one.size);
    seconds += one.seconds;
    size += one.size;
  }
  double middle = median(rates);
  // If a device's thread was away for a while, the device seems to end several chunks at once. So only the
  // sum of the times is right. The median of single times gave five times the rate of an H200.
  if (device) middle = without_fixed(seconds, claim * static_cast<double>(samples.size())) / size;
  for (double& rate : rates) rate = std::abs(rate - middle);
  report.deviation = median(std::move(rates)) / middle;
  report.seconds_per_unit = middle / report.workers;
}

const char* suffix_of(event_log::lane on) {
  switch (on) {
    case event_log::lane::host:
      break;
    case event_log::lane::copies:
      return " copies";
    case event_log::lane::kernels:
      return " kernels";
  }
  return "";
}

// Whether the planner holds a pool back because devices alone are faster. False if it only measures devices.
bool leaves_all_to_devices(const run_state& run, std::size_t index) {
  return !run.configs[index].device && run.options.hold_back_seconds > 0 && !run.options.solo_warm_up;
}

}  // namespace

std::vector<executor_config> executor_configs_of(const chunk_source& all,
                                                 std::span<executor* const> executors,
                                                 const execute_options& options) {
  const double units_per_grain = mean_units(all);
  std::vector<executor_config> configs;
  for (std::size_t i = 0; i < executors.size(); ++i) {
    const executor& one = *executors[i];
    const executor_traits traits = one.traits();
    executor_config is{.workers = one.workers(),
                       .depth = one.depth(),
                       .device = traits.is_device(),
                       .most_grains = all.options().most_grains,
                       .prefers_adjacent = traits.prefers_adjacent,
                       .model = {},
                       .idle = traits.is_device() ? 0 : options.idle,
                       .can_time_out = one.can_be_abandoned() && options.keeps_alive != nullptr};
    if (i < options.models.size()) is.model = per_grain(options.models[i], units_per_grain);
    if (is.device) {
      // The known time of a cold start on this machine counts, unless the device expects less now.
      if (is.model.start_seconds == 0 || one.start_seconds() < measured_thresholds.warm_patience_seconds())
        is.model.start_seconds = one.start_seconds();
      is.model.claim_seconds = std::max(is.model.claim_seconds, dispatch_thresholds::device_claim_seconds);
      is.most_grains = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(
          traits.claim_bytes / all.grain(), 1, std::numeric_limits<std::uint32_t>::max()));
    }
    configs.push_back(is);
  }
  return configs;
}

run_state::run_state(chunk_source& todo, std::span<executor* const> all, run_control* progress,
                     execute_options how)
  : input(todo),
    executors(all.begin(), all.end()),
    control(progress),
    options(std::move(how)),
    configs(executor_configs_of(todo, all, options)),
    shares(todo.grains(), configs, dispatch_options_of(configs, options)),
    pools(
        std::any_of(configs.begin(), configs.end(), [](const executor_config& one) { return !one.device; })),
    outcomes(all.size()) {
  for (std::size_t i = 0; i < configs.size(); ++i) {
    outcomes[i].tallies.resize(configs[i].workers);
    if (!options.timeline) continue;
    for (worker_tally& tally : outcomes[i].tallies) tally.events = std::make_unique<event_log>(most_events);
  }
}

void run_state::stop() {
  stopped.store(true, std::memory_order_relaxed);
  input.stop();
  changes.notify();
}

void run_state::take_back(unsigned index) {
  for (worker_tally& tally : outcomes[index].tallies) {
    tally.chunks -= tally.uncommitted_chunks;
    tally.units -= tally.uncommitted_units;
    if (control != nullptr) {
      control->gpu_units_done.fetch_sub(tally.uncommitted_units, std::memory_order_relaxed);
      control->units_done.fetch_sub(tally.uncommitted_units, std::memory_order_relaxed);
    }
    tally.uncommitted_chunks = 0;
    tally.uncommitted_units = 0;
  }
}

void run_state::time_out(unsigned index) {
  if (!shares.time_out(index, now())) return;
  // This waits until the device's thread no longer uses the input. That thread does not use the input again.
  { const std::lock_guard out(outcomes[index].at_input); }
  const std::uint64_t commits = executors[index]->abandon();
  bool ends_run = false;
  {
    const std::lock_guard lock(mutex);
    outcome& its = outcomes[index];
    its.abandoned = true;
    its.trouble = executors[index]->name() + " did not answer; the others have done its work";
    its.loss = std::make_exception_ptr(device_lost(executors[index]->name() + " does not answer"));
    const bool all_committed = shares.timed_out(index, commits);
    if (!all_committed) take_back(index);
    ends_run = options.strict || (its.holds_blocks && !all_committed);
    if (ends_run) its.failure = its.loss;
  }
  if (ends_run) return stop();
  changes.notify();
}

executor_report report_of(const run_state& run, std::size_t index) {
  executor_report report;
  report.name = run.executors[index]->name();
  report.kind = run.configs[index].device ? executor_kind::device : executor_kind::pool;
  report.workers = run.configs[index].workers;
  report.trouble = run.outcomes[index].trouble;
  std::vector<timed_chunk> samples;
  for (const worker_tally& tally : run.outcomes[index].tallies) {
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
  if (report.units == 0 && leaves_all_to_devices(run, index))
    report.reason = "it is held back: such runs take less without it";
  // The first chunks of a device are few and small, and do not show its rate.
  if (run.shares.rate_is_found(static_cast<unsigned>(index)))
    measure(std::move(samples), run.configs[index].device, report);
  double solo_per_grain = run.shares.seen_solo(static_cast<unsigned>(index));
  if (const rate_estimator& solo = run.shares.measured_solo(static_cast<unsigned>(index));
      solo.samples() >= measured_thresholds.few)
    solo_per_grain = solo.seconds_per_grain();
  if (solo_per_grain > 0)
    report.alone_seconds_per_unit = solo_per_grain / mean_units(run.input) / report.workers;
  if (run.executors.size() == 1) report.alone_seconds_per_unit = report.seconds_per_unit;
  if (!run.configs[index].device) report.beside = run.shares.co_run_share();
  return report;
}

std::vector<timeline_event> timeline_of(const run_state& run) {
  std::vector<timeline_event> all;
  for (std::size_t index = 0; index < run.executors.size(); ++index) {
    for (std::size_t worker = 0; worker < run.outcomes[index].tallies.size(); ++worker) {
      std::string lane = run.executors[index]->name();
      if (run.configs[index].workers > 1) lane += " worker " + std::to_string(worker);
      const auto& events = run.outcomes[index].tallies[worker].events;
      if (!events) continue;
      for (const event_log::event& one : events->take())
        all.push_back({lane + suffix_of(one.on), one.what, one.begin, one.end, one.units});
    }
  }
  return all;
}

std::uint64_t events_dropped(const run_state& run) {
  std::uint64_t sum = 0;
  for (const outcome& one : run.outcomes) {
    for (const worker_tally& tally : one.tallies) sum += tally.events ? tally.events->dropped() : 0;
  }
  return sum;
}

}  // namespace duomap::scheduler
