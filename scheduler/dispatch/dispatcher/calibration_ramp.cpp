// Chooses the size of each chunk of a ramp, and decides when the ramp ends.
#include "scheduler/dispatch/dispatcher/calibration_ramp.hpp"

#include "scheduler/history/learning.hpp"
#include "scheduler/thresholds/dispatch_thresholds.hpp"
#include "scheduler/thresholds/planner_thresholds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace duomap::scheduler {
namespace {

constexpr std::uint32_t largest_count = std::numeric_limits<std::uint32_t>::max();

}  // namespace

std::optional<std::uint32_t> calibration_ramp::next(const outlook& run) {
  if (size_ == 0) {
    if (!is_due(run.now)) return std::nullopt;
    over_.store(false, std::memory_order_relaxed);
    found_ = false;
    size_ = std::max(1U, run.left / dispatch_thresholds::measured_parts());
    chunks_ = 0;
    last_ = 0;
    best_per_grain_ = std::numeric_limits<double>::infinity();
    scale_ = std::exchange(first_, false) ? 1 : measured_thresholds.tried_part;
    solo_seconds_ = scale_ * dispatch_thresholds::solo_share * run.others_seconds;
    solo_until_.store(run.now + solo_seconds_, std::memory_order_relaxed);
  }
  size_ = std::min(size_, run.most);
  // The first chunk runs alone, because its time decides the size of the second one.
  if (run.open > 0 && (chunks_ == 0 || run.open >= size_)) return std::nullopt;
  const double per_grain = chunks_ > 0 ? best_per_grain_ : run.grain_seconds;
  const double room = run.others_seconds * scale_ * dispatch_thresholds::unknown_part - run.claim_seconds -
                      run.open * per_grain;
  const double most = per_grain > 0 ? room / per_grain : size_;
  // The chunk is as large as the run allows. But a chunk smaller than the last one would show nothing new.
  if (most >= std::max(last_, 1U)) {
    size_ = static_cast<std::uint32_t>(std::min<double>(size_, most));
    return size_;
  }
  if (run.open > 0) return std::nullopt;
  // The first chunk may have paid costs that come only once. So a second chunk of the same size follows,
  // unless it would take half of the remaining time.
  if (chunks_ == 1 && last_ * per_grain < run.others_seconds / 2) return last_;
  // As far as is known, the device is too slow to help with the rest of the run. Its rate counts as known if
  // the ramp had more than one chunk.
  end(chunks_ > 1, run.now);
  return std::nullopt;
}

void calibration_ramp::ended(std::uint32_t grains, double seconds, double now) {
  if (over() || grains == 0) return;
  const double per_grain = seconds / grains;
  const double off = per_grain / best_per_grain_;
  best_per_grain_ = std::min(best_per_grain_, per_grain);
  ++chunks_;
  last_ = grains;
  // The chunk took the whole solo time. Either it paid costs that come only once, or workers were still busy.
  // So the next chunk gets solo time again.
  if (chunks_ <= dispatch_thresholds::outlasting_chunks && now >= solo_until())
    solo_until_.store(now + solo_seconds_, std::memory_order_relaxed);
  if (std::abs(std::log(off)) > surprise && chunks_ < dispatch_thresholds::fitted_chunks) {
    size_ = measured_thresholds.growth * std::min(size_, largest_count / measured_thresholds.growth);
    return;
  }
  found_ = true;
  end(true, now);
}

void calibration_ramp::end(bool rate_is_known, double now) {
  size_ = 0;
  next_ = std::max(measured_thresholds.short_run_seconds, measured_thresholds.growth * now);
  over_.store(rate_is_known, std::memory_order_relaxed);
}

}  // namespace duomap::scheduler
