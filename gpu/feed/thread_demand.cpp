// Computes from the threads' reading times how many threads keep the link busy.
#include "gpu/feed/thread_demand.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace duomap::gpu {

double thread_demand::dry_until(double now) const {
  return dry_ + (dry_since_ ? now - std::max(*dry_since_, since_) : 0);
}

void thread_demand::begins(double now) {
  dry_ = dry_until(now);
  dry_since_.reset();
}

void thread_demand::runs_dry(double now) { dry_since_ = now; }

bool thread_demand::read(double seconds, double now) {
  reading_ += seconds;
  if (++parts_ < parts_per_thread * most_) return false;
  const double with_parts = now - since_ - dry_until(now);
  const unsigned before = threads_;
  // The first measurement does not count: threads and buffers are still being made.
  if (std::exchange(warm_, true) && with_parts > 0) {
    const double busy = reading_ / with_parts;
    // If no thread ever waits, the link may be able to take more, so all threads are used.
    threads_ = busy > threads_ - 0.5 ? most_ : std::min(static_cast<unsigned>(std::ceil(busy)) + 1, most_);
    measured_ = true;
  }
  parts_ = 0;
  reading_ = dry_ = 0;
  since_ = now;
  return threads_ != before;
}

}  // namespace duomap::gpu
