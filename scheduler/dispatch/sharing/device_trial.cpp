#include "scheduler/dispatch/sharing/device_trial.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace duomap::scheduler {
namespace {

// The first chunk is this part of what is left: were the device 16 times slower than all others together, it
// would take a sixteenth of the time that is left.
constexpr std::uint32_t first_part = 256;
// Workers leave their cores to a trial for that part of what the others need for the rest. With 16 workers at
// work, 24 MB took an H200's feeding threads 6 ms, which have to wait for a core then; 0.6 without them.
constexpr double alone_share = 0.03;
// Of a later trial everything is smaller: it may be in vain.
constexpr double later = 0.1;
constexpr std::uint32_t growth = 4;
constexpr std::uint32_t largest_count = std::numeric_limits<std::uint32_t>::max();
// A chunk whose grains cost as much as those of the best before, within this factor, shows the pace. One that
// cost more shows nothing but that something else was going on.
constexpr double alike = 1.3;
// Then it is taken for what it seems to be.
constexpr std::uint32_t most_chunks = 12;
// What a chunk may take of the time that the others need for the rest: then nobody waits for it in the end.
constexpr double most_of_the_rest = 1.0 / 8;
constexpr double retrial_factor = 4;

}  // namespace

std::optional<std::uint32_t> device_trial::next(const outlook& run) {
  if (size_ == 0) {
    if (!is_due(run.now)) return std::nullopt;
    over_.store(false, std::memory_order_relaxed);
    found_ = false;
    size_ = std::max(1U, run.left / first_part);
    chunks_ = 0;
    last_ = 0;
    best_per_grain_ = std::numeric_limits<double>::infinity();
    scale_ = std::exchange(first_, false) ? 1 : later;
    alone_until_.store(run.now + scale_ * alone_share * run.others_seconds, std::memory_order_relaxed);
  }
  size_ = std::min(size_, run.most);
  // The first alone: what follows depends on it.
  if (run.open > 0 && (chunks_ == 0 || run.open >= size_)) return std::nullopt;
  const double per_grain = chunks_ > 0 ? best_per_grain_ : run.grain_seconds;
  const double room =
      run.others_seconds * scale_ * most_of_the_rest - run.claim_seconds - run.open * per_grain;
  const double most = per_grain > 0 ? room / per_grain : size_;
  // As large as it may be, but a chunk smaller than the one before would tell nothing.
  if (most >= std::max(last_, 1U)) {
    size_ = static_cast<std::uint32_t>(std::min<double>(size_, most));
    return size_;
  }
  if (run.open > 0) return std::nullopt;
  // What the first one cost may have been to pay once: another of its size, if that is not half of the rest.
  if (chunks_ == 1 && last_ * per_grain < run.others_seconds / 2) return last_;
  // Too slow for the rest of the run, for all that is known; of several chunks that is something.
  end(chunks_ > 1, run.now);
  return std::nullopt;
}

void device_trial::ended(std::uint32_t grains, double seconds, double now) {
  if (over() || grains == 0) return;
  const double per_grain = seconds / grains;
  const double off = per_grain / best_per_grain_;
  best_per_grain_ = std::min(best_per_grain_, per_grain);
  ++chunks_;
  last_ = grains;
  if ((off > alike || off < 1 / alike) && chunks_ < most_chunks) {
    size_ = growth * std::min(size_, largest_count / growth);
    return;
  }
  found_ = true;
  end(true, now);
}

void device_trial::end(bool pace_is_known, double now) {
  size_ = 0;
  next_ = std::max(first_retrial_seconds, retrial_factor * now);
  over_.store(pace_is_known, std::memory_order_relaxed);
}

}  // namespace duomap::scheduler
