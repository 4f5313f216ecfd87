// Derives from an executor's stage and progress whether it takes part and whether it is at work.
#include "scheduler/dispatch/dispatcher/executor_state.hpp"

#include "core/error.hpp"
#include "scheduler/thresholds/dispatch_thresholds.hpp"
#include "scheduler/thresholds/planner_thresholds.hpp"

#include <algorithm>

namespace duomap::scheduler {

executor_state::executor_state(const executor_config& one)
  : is(one),
    rate(one.model, one.workers),
    at(one.device ? executor_stage::cold : executor_stage::ready),
    start_seconds(one.model.start_seconds),
    most(one.most_grains),
    depth(one.depth),
    ramp(one.model.known() && one.model.trusted,
         one.model.start_seconds > measured_thresholds.warm_patience_seconds()) {}

bool executor_state::takes_part() const noexcept {
  const executor_stage now = at.load(std::memory_order_relaxed);
  return now != executor_stage::out_of_memory && now != executor_stage::failed;
}

bool executor_state::is_expected() const noexcept {
  const executor_stage now = at.load(std::memory_order_relaxed);
  return is.device &&
         (now == executor_stage::cold || now == executor_stage::starting || now == executor_stage::ready);
}

bool executor_state::is_expected_later() const noexcept {
  const executor_stage now = at.load(std::memory_order_relaxed);
  return now == executor_stage::cold || now == executor_stage::declined || now == executor_stage::starting;
}

bool executor_state::begins(double now) const noexcept {
  return is_expected() && rate.samples() == 0 &&
         std::max(now, start_seconds.load(std::memory_order_relaxed)) <
             dispatch_thresholds::least_patience_seconds();
}

bool executor_state::at_work(double now) const noexcept {
  if (!is.device || at.load(std::memory_order_relaxed) != executor_stage::ready) return false;
  const std::uint32_t held = open.load(std::memory_order_relaxed);
  if (held == 0) return false;
  if (!ramp.over()) return ramp.solo_until() > now;  // for its solo time only, because it may be slow
  const double expected = held * rate.seconds_per_grain() + rate.claim_seconds();
  return now - progressed.load(std::memory_order_relaxed) <=
         std::max(dispatch_thresholds::least_patience_seconds(), dispatch_thresholds::patience * expected);
}

bool executor_state::take_less(std::uint32_t refused, bool solo) noexcept {
  const unsigned chunks = depth.load(std::memory_order_relaxed);
  if (refused > 1) {
    most.store(std::max(1U, refused / 2), std::memory_order_relaxed);
  } else if (chunks > 1) {
    depth.store(chunks - 1, std::memory_order_relaxed);
  } else if (solo) {
    at.store(executor_stage::out_of_memory, std::memory_order_relaxed);
    return false;
  }
  return true;
}

executor_table::executor_table(const std::vector<executor_config>& all) {
  expects(all.size() <= most_executors, "a run has at most 32 executors");
  for (const executor_config& one : all) {
    expects(!one.device || one.workers == 1, "a device has one worker");
    all_.push_back(std::make_unique<executor_state>(one));
    mixed_ = mixed_ || one.device != all[0].device;
  }
}

bool executor_table::others_take_part(unsigned index) const noexcept {
  for (unsigned i = 0; i < all_.size(); ++i) {
    if (i != index && all_[i]->takes_part()) return true;
  }
  return false;
}

std::uint64_t executor_table::open_in_pools() const noexcept {
  std::uint64_t sum = 0;
  for (const auto& one : all_) {
    if (!one->is.device) sum += one->open.load(std::memory_order_relaxed);
  }
  return sum;
}

bool executor_table::devices_at_work(double now) const noexcept {
  return mixed_ && std::any_of(all_.begin(), all_.end(), [&](const auto& one) { return one->at_work(now); });
}

}  // namespace duomap::scheduler
