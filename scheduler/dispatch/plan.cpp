#include "scheduler/dispatch/plan.hpp"

#include "core/error.hpp"
#include "scheduler/models/water_level.hpp"
#include "scheduler/planner/planner_thresholds.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>
#include <numeric>
#include <optional>

namespace duomap::scheduler {
namespace {

executor_forecast forecast_of(const executor_config& one) {
  const grain_model& model = one.model;
  return {model.start_seconds + model.claim_seconds + model.end_seconds, model.seconds_per_grain};
}

// Alone; the workers of a pool share whole grains.
double solo_seconds(std::uint32_t grains, const executor_config& one) {
  const executor_forecast is = forecast_of(one);
  return is.ready_seconds +
         std::ceil(static_cast<double>(grains) / one.workers) * one.workers * is.seconds_per_grain;
}

void normalise(std::vector<double>& shares) {
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  for (double& share : shares) share = sum > 0 ? share / sum : 1 / static_cast<double>(shares.size());
}

bool all_known(std::span<const executor_config> configs) {
  return std::all_of(configs.begin(), configs.end(),
                     [](const executor_config& one) { return one.model.known(); });
}

}  // namespace

plan plan_split(std::uint32_t grains, std::span<const executor_config> configs) {
  plan made;
  made.parts.resize(configs.size());
  if (configs.empty() || grains == 0) return made;
  if (configs.size() == 1) {
    made.parts[0].share = 1;
    if (configs[0].model.known()) made.seconds = solo_seconds(grains, configs[0]);
    return made;
  }
  if (!all_known(configs)) {
    for (std::size_t i = 0; i < configs.size(); ++i) {
      if (!configs[i].model.known()) made.parts[i].reason = "its speed is not known yet";
    }
    return made;
  }

  // The best alone, and then the others, the fastest first, as far as each is worth it.
  std::vector<std::size_t> order(configs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return solo_seconds(grains, configs[a]) < solo_seconds(grains, configs[b]);
  });
  std::vector<executor_forecast> active{forecast_of(configs[order[0]])};
  std::vector<std::size_t> members{order[0]};
  made.seconds = solo_seconds(grains, configs[order[0]]);
  for (std::size_t i = 1; i < order.size(); ++i) {
    const executor_config& one = configs[order[i]];
    const executor_forecast is = forecast_of(one);
    const double first_grain = is.ready_seconds + is.seconds_per_grain * one.workers;
    if (first_grain > made.seconds) {
      made.parts[order[i]].reason = "the others would be done before its first grain";
      continue;
    }
    active.push_back(is);
    const double level = water_level(grains, active);
    if (one.device && level > (1 - measured_thresholds.least_gain) * made.seconds) {
      made.parts[order[i]].reason = "it would save less than 2 % of the time";
      active.pop_back();
      continue;
    }
    members.push_back(order[i]);
    made.seconds = std::min(made.seconds, level);
  }
  for (std::size_t i = 0; i < members.size(); ++i)
    made.parts[members[i]].share = share_below(made.seconds, active[i]) / grains;
  double sum = 0;
  for (const planned_part& part : made.parts) sum += part.share;
  for (planned_part& part : made.parts) part.share = sum > 0 ? part.share / sum : part.share;
  return made;
}

plan plan_devices_solo(std::uint32_t grains, std::span<const executor_config> configs) {
  std::vector<executor_config> devices;
  std::copy_if(configs.begin(), configs.end(), std::back_inserter(devices),
               [](const executor_config& one) { return one.device; });
  plan made = plan_split(grains, devices);
  for (std::size_t i = 0; i < configs.size(); ++i) {
    if (configs[i].device) continue;
    made.parts.insert(made.parts.begin() + static_cast<std::ptrdiff_t>(i),
                      {.share = 0, .reason = "it is held back: such runs take less without it"});
  }
  return made;
}

dispatch_options options_for(const split_choice& choice, std::uint32_t grains,
                             std::span<const executor_config> configs) {
  dispatch_options options;
  switch (choice.policy) {
    case split_policy::automatic:
      return options;
    case split_policy::packets:
      options.rule = dispatch_rule::packets;
      options.packets = choice.packets;
      return options;
    case split_policy::guided:
      options.rule = dispatch_rule::guided;
      return options;
    case split_policy::by_hand: {
      options.rule = dispatch_rule::split;
      const auto devices =
          std::count_if(configs.begin(), configs.end(), [](const auto& one) { return one.device; });
      const auto pools = static_cast<std::ptrdiff_t>(configs.size()) - devices;
      const double cpu_share = 1 - choice.gpu_share;
      if (pools == 0 && cpu_share > 0)
        throw usage_error("the split gives a share to the CPU, which takes no part in this run");
      if (devices == 0 && choice.gpu_share > 0)
        throw usage_error("the split gives a share to GPUs, which take no part in this run");
      for (const executor_config& one : configs)
        options.shares.push_back(one.device ? choice.gpu_share / static_cast<double>(devices)
                                            : cpu_share / static_cast<double>(pools));
      return options;
    }
    case split_policy::mars:
    case split_policy::qilin: {
      options.rule = dispatch_rule::split;
      options.shares.assign(configs.size(), 1);
      if (all_known(configs)) {
        std::vector<executor_forecast> all;
        for (const executor_config& one : configs) all.push_back(forecast_of(one));
        const double level = water_level(grains, all);
        for (std::size_t i = 0; i < configs.size(); ++i) {
          options.shares[i] = choice.policy == split_policy::mars ? 1 / solo_seconds(grains, configs[i])
                                                                  : share_below(level, all[i]);
        }
      }
      normalise(options.shares);
      return options;
    }
  }
  return options;
}

}  // namespace duomap::scheduler
