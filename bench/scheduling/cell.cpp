// Runs a task in every way in turn and computes gain, efficiency, regret and skew.
#include "bench/scheduling/cell.hpp"

#include "bench/harness/bench_context.hpp"
#include "bench/harness/device_modes.hpp"
#include "bench/harness/printed.hpp"
#include "bench/scheduling/solo_splits.hpp"
#include "core/error.hpp"
#include "scheduler/models/best_split.hpp"

#include <algorithm>

namespace duomap::apps {
namespace {

// The time between the first and the last end of an executor, divided by the time until the last end.
double skew_of(const run_report& report) {
  double first = 0;
  double last = 0;
  for (const executor_report& one : report.executors) {
    double end = 0;
    for (const timeline_event& event : report.timeline) {
      if (event.lane.starts_with(one.name) && event.what != std::string_view("wait"))
        end = std::max(end, event.end);
    }
    if (end == 0) continue;
    first = first == 0 ? end : std::min(first, end);
    last = std::max(last, end);
  }
  return last > 0 ? (last - first) / last : 0;
}

run_options by_hand(double gpu_share) {
  return {.device = device_choice::cpu_gpu,
          .share = {.policy = share_policy::by_hand, .gpu_share = gpu_share}};
}

// The lesser time of two runs, because the first run starts threads and devices and may wait for pages.
double least_seconds(const workload& one, device_choice device) {
  return std::min(one.run({.device = device}).seconds, one.run({.device = device}).seconds);
}

solo_times solo_times_of(const workload& one) {
  return {.bytes = static_cast<double>(one.bytes),
          .cpu = least_seconds(one, device_choice::cpu),
          .gpu = least_seconds(one, device_choice::gpu)};
}

// The search tries 9 shares from 0 to 1, then 9 shares around the best of these, 1/32 apart.
constexpr int tried_shares = 8;

}  // namespace

const series* cell::find(std::string_view name) const {
  const auto found = std::ranges::find(all, name, &series::name);
  return found == all.end() ? nullptr : &*found;
}

const series& cell::get(std::string_view name) const {
  const series* const found = find(name);
  expects(found != nullptr, "a cell has all of its series");
  return *found;
}

const series& cell::best_alone() const {
  const series& cpu = get(way::cpu);
  const series* const gpu = find(way::gpu);
  return gpu != nullptr && gpu->middle() < cpu.middle() ? *gpu : cpu;
}

paired_ratio cell::gain(std::string_view name) const { return ratio_of(best_alone(), get(name)); }

double cell::efficiency(std::string_view name) const {
  const double rates = 1 / get(way::cpu).middle() + 1 / get(way::gpu).middle();
  return 1 / rates / get(name).middle();
}

double cell::slower_to_faster() const {
  const auto [fast, slow] = std::minmax({get(way::cpu).middle(), get(way::gpu).middle()});
  return fast / slow;
}

double cell::regret(std::string_view name) const {
  double best = best_alone().middle();
  if (const series* const by_hand_best = find(best_name)) best = std::min(best, by_hand_best->middle());
  return get(name).middle() / best - 1;
}

double cell::gpu_part() const {
  double gpu = 0;
  double units = 0;
  for (const executor_report& one : get(way::both).runs.back().report.executors) {
    units += static_cast<double>(one.units);
    if (one.kind == executor_kind::device) gpu += static_cast<double>(one.units);
  }
  return units > 0 ? gpu / units : 0;
}

cell measure_cell(const workload& one, const cell_options& options, const run_control& control) {
  cell measured{one.name, one.bytes, {}, {}, {}, 0};
  std::vector<variant> variants;
  const auto add = [&](std::string_view name, const run_options& how, unsigned warm_up = 1) {
    variants.push_back(
        {.name = std::string(name), .run = [&one, how] { return one.run(how); }, .warm_up = warm_up});
  };
  const run_options both{.device = device_choice::cpu_gpu, .profiles = options.profiles};
  add(way::cpu, {.device = device_choice::cpu});
  add(way::gpu, {.device = device_choice::gpu});
  // `auto` learns before the rounds; --parts first-run measures first runs.
  add(way::automatic, {.profiles = options.auto_profiles}, runs_to_learn);
  add(way::both, both);
  if (options.part != nullptr) {
    const auto add_share = [&](std::string_view name, double gpu_share) {
      run_options how = by_hand(gpu_share);
      how.learn = false;
      add(name, how);
    };
    const solo_times whole = solo_times_of(one);
    add_share(way::mars, gpu_share_of_mars(whole));
    add_share(way::qilin, gpu_share_of_qilin(solo_times_of(*options.part), whole));
  }
  if (options.best_split && std::min(one.run(both).seconds, one.run(both).seconds) >= options.worth_trying) {
    const auto best = scheduler::best_split(
        [&](double share) {
          stop_if_cancelled(&control);
          return one.run(by_hand(share)).seconds;
        },
        tried_shares);
    measured.best_share = best.share;
    measured.best_name = printed("gpu=%.3f", best.share);
    // The shortest of many runs is partly luck, so the best split is timed again, in turn with the other
    // ways.
    add(measured.best_name, by_hand(best.share));
  }
  measured.all = comparison(control).in_turn(variants, steady_samples(options.rounds, turns::back_and_forth));
  run_options watched = both;
  watched.learn = false;
  watched.timeline = true;
  measured.skew = skew_of(one.run(watched).report);
  return measured;
}

}  // namespace duomap::apps
