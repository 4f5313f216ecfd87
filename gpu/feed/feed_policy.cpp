#include "gpu/feed/feed_policy.hpp"

#include <sched.h>

#include <atomic>
#include <thread>

namespace duomap::gpu {
namespace {

// 0: not measured. Relaxed: a number to begin with, right by itself.
std::atomic<unsigned> last_needed = 0;

}  // namespace

unsigned expected_staging_threads(unsigned cores, unsigned devices) {
  const unsigned most = staging_threads(cores, devices);
  const unsigned needed = last_needed.load(std::memory_order_relaxed);
  return needed > 0 ? std::min(needed, most) : most;
}

void remember_staging_threads(unsigned needed) { last_needed.store(needed, std::memory_order_relaxed); }

unsigned usable_cores() {
  cpu_set_t usable;
  CPU_ZERO(&usable);
  if (::sched_getaffinity(0, sizeof usable, &usable) == 0) return static_cast<unsigned>(CPU_COUNT(&usable));
  return std::thread::hardware_concurrency();
}

}  // namespace duomap::gpu
