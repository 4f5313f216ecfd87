// Divides the grains into intervals, and keeps the list of grains that came back.
#include "scheduler/dispatch/dispatcher/grain_queue.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace duomap::scheduler {

grain_queue::grain_queue(std::uint32_t grains, std::span<const double> shares, bool exclusive)
  : total_(grains), exclusive_(exclusive) {
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  std::uint32_t begin = 0;
  double reached = 0;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    if (shares[i] <= 0) continue;
    reached += shares[i];
    const auto end =
        std::clamp(static_cast<std::uint32_t>(std::lround(reached / sum * grains)), begin, grains);
    intervals_.push_back(std::make_unique<interval>(grain_range{begin, end}));
    owners_.push_back(static_cast<unsigned>(i));
    begin = end;
  }
  if (intervals_.empty()) {
    intervals_.push_back(std::make_unique<interval>(grains));
    owners_.push_back(std::nullopt);
  }
}

std::uint32_t grain_queue::free_grains() const noexcept {
  std::uint32_t sum = returned_grains_.load(std::memory_order_relaxed);
  for (const auto& one : intervals_) sum += one->remaining();
  return sum;
}

std::uint32_t grain_queue::left_for(unsigned index) const noexcept {
  if (!exclusive_) return free_grains();
  std::uint32_t sum = returned_grains_.load(std::memory_order_relaxed);
  for (std::size_t i = 0; i < intervals_.size(); ++i) {
    if (owners_[i] == index) sum += intervals_[i]->remaining();
  }
  return sum;
}

grain_range grain_queue::take_near(unsigned index, std::uint32_t grains) noexcept {
  for (std::size_t i = 0; i < intervals_.size(); ++i) {
    if (owners_[i] && owners_[i] != index) continue;
    if (const grain_range taken = intervals_[i]->take_front(grains); !taken.empty()) return taken;
  }
  return {};
}

grain_range grain_queue::take_returned(std::uint32_t grains) {
  if (returned_grains_.load(std::memory_order_relaxed) == 0) return {};
  const std::lock_guard lock(mutex_);
  if (returned_.empty()) return {};
  grain_range& last = returned_.back();
  const std::uint32_t count = std::min(grains, last.size());
  last.end -= count;
  const grain_range taken{last.end, last.end + count};
  if (last.empty()) returned_.pop_back();
  returned_grains_.fetch_sub(count, std::memory_order_relaxed);
  return taken;
}

void grain_queue::give_back(grain_range grains) {
  if (grains.empty()) return;
  const std::lock_guard lock(mutex_);
  returned_.push_back(grains);
  returned_grains_.fetch_add(grains.size(), std::memory_order_relaxed);
}

void grain_queue::disown(unsigned index) {
  if (!exclusive_) return;
  for (std::size_t i = 0; i < intervals_.size(); ++i) {
    if (owners_[i] == index) give_back(intervals_[i]->take_front(intervals_[i]->remaining()));
  }
}

}  // namespace duomap::scheduler
