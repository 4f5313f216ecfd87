// Chooses the next step of a worker from its open chunks and the dispatcher's answers.
#include "scheduler/dispatch/worker_state_machine.hpp"

#include "scheduler/thresholds/dispatch_thresholds.hpp"

#include <algorithm>

namespace duomap::scheduler {

step worker_state_machine::next(double now) {
  using what = step::what;
  if (all_.has_failed(index_)) return {};
  if (device_ && !started_) {
    if (all_.starts(index_, now)) return {.then = what::start};
    // A start that does not pay now may pay later, when more is known or another device is lost.
    const claim asked = all_.ask_later(index_, now);
    if (asked.then == claim::what::end) return {};
    return {.then = what::wait, .until = asked.until, .other = to_wake(asked, now)};
  }
  // Only grains at the end of the last claim can be given back.
  if (device_ && open_.size() > 1 && rest_.empty() && open_.back().grains.end == end_ &&
      !open_.back().grains.empty() && all_.wanted_back(index_))
    return {.then = what::take_back};
  if (open_.size() >= all_.depth(index_)) return {.then = what::finish};
  if (!rest_.empty()) return {.then = what::submit, .grains = rest_};
  if (commit_is_due(now)) return open_.empty() ? commit_now(now) : step{.then = what::finish};

  if (!device_ && all_.free_grains() > 0) {
    in_ = all_.may_claim(index_, in_, now);
    if (!in_) return wait_until(all_.next_turn(now), std::nullopt, now);
  }
  const claim got = all_.next(index_, now);
  if (got.then == claim::what::take) {
    rest_ = got.grains;
    wakes_again_ = 0;
    return {.then = what::submit, .grains = rest_};
  }
  if (!open_.empty()) return {.then = what::finish};
  // A device without open chunks commits.
  if (device_ && holds_uncommitted()) return commit_now(now);
  if (got.then == claim::what::wait) return wait_until(got.until, to_wake(got, now), now);
  if (!device_ && !committed_) return commit_now(now);
  return {};
}

// Wakes another executor at most once per wait. Otherwise two executors that wait for each other would wake
// each other without end.
std::optional<unsigned> worker_state_machine::to_wake(const claim& waits, double now) {
  if (now < wakes_again_) return std::nullopt;
  wakes_again_ = waits.until;
  return waits.relies_on;
}

// While a worker is idle, it also looks for devices that hang.
step worker_state_machine::wait_until(double until, std::optional<unsigned> other, double now) const {
  if (const auto late = all_.overdue(now); late && *late != index_)
    return {.then = step::what::time_out, .until = until, .other = late};
  return {.then = step::what::wait, .until = until, .other = other};
}

void worker_state_machine::started(double now) {
  started_ = true;
  last_commit_ = now;
  all_.started(index_, now);
}

void worker_state_machine::submitted(grain_range part, double began) {
  rest_.begin = part.end;
  end_ = part.end;
  open_.push_back({part, began});
}

void worker_state_machine::submits_block(double now) {
  if (device_) all_.block_call_begins(index_, now);
}

void worker_state_machine::submitted_block(double began, double now) {
  if (device_ && !started_) started(began);  // submitting a block has started it
  if (device_) all_.block_call_ends(index_, now);
  open_.push_back({{}, began});
  holds_blocks_ = true;
}

void worker_state_machine::finishes(double now) {
  if (device_ && open_.front().grains.empty()) all_.block_call_begins(index_, now);
}

void worker_state_machine::empty(grain_range part, double now) {
  rest_.begin = part.end;
  end_ = part.end;
  static_cast<void>(all_.finished(index_, part, 0, now));
}

bool worker_state_machine::refused() {
  const grain_range grains = rest_;
  rest_.begin = rest_.end;
  return all_.refused(index_, grains);
}

void worker_state_machine::took_back(bool yes) {
  if (!yes) return;
  const grain_range newest = open_.back().grains;
  open_.pop_back();
  end_ = newest.begin;
  all_.returned(index_, newest);
}

bool worker_state_machine::finished(double now) {
  const open_chunk oldest = open_.front();
  open_.erase(open_.begin());
  // If several chunks are open, the device began this one when the chunk before it ended.
  const double began = std::max(oldest.began, last_finish_);
  last_finish_ = now;
  last_seconds_ = now - began;
  if (device_ && oldest.grains.empty()) all_.block_call_ends(index_, now);
  return oldest.grains.empty() || all_.finished(index_, oldest.grains, last_seconds_, now);
}

bool worker_state_machine::committed(double now) {
  commit_seconds_ = now - commit_began_;
  last_commit_ = now;
  committed_ = true;
  holds_blocks_ = false;
  return !device_ || all_.committed(index_);
}

bool worker_state_machine::commit_is_due(double now) const {
  return device_ &&
         now - last_commit_ > std::max(dispatch_thresholds::commit_every_seconds,
                                       dispatch_thresholds::commit_every_commit_times * commit_seconds_) &&
         holds_uncommitted();
}

step worker_state_machine::commit_now(double now) {
  if (device_ && !all_.commits(index_, now)) return {};
  commit_began_ = now;
  return {.then = step::what::commit};
}

}  // namespace duomap::scheduler
