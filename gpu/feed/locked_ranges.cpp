// Keeps the list of page-locked ranges and searches it.
#include "gpu/feed/locked_ranges.hpp"

#include <algorithm>
#include <mutex>

namespace duomap::gpu {

void locked_ranges::add(byte_view range) {
  const std::unique_lock held(mutex_);
  all_.push_back(range);
  count_.store(all_.size(), std::memory_order_relaxed);
}

void locked_ranges::remove(byte_view range) {
  const std::unique_lock held(mutex_);
  const auto found = std::find_if(all_.begin(), all_.end(), [&](byte_view one) {
    return one.data == range.data && one.size == range.size;
  });
  if (found == all_.end()) return;
  all_.erase(found);
  count_.store(all_.size(), std::memory_order_relaxed);
}

bool locked_ranges::hold(byte_view memory) const noexcept {
  if (count_.load(std::memory_order_relaxed) == 0) return false;
  const std::shared_lock held(mutex_);
  return std::any_of(all_.begin(), all_.end(), [&](byte_view one) {
    return one.begin() <= memory.begin() && memory.end() <= one.end();
  });
}

}  // namespace duomap::gpu
