#include "gpu/feed/feed_policy.hpp"

#include <sched.h>

#include <thread>

namespace duomap::gpu {

unsigned usable_cores() {
  cpu_set_t usable;
  CPU_ZERO(&usable);
  if (::sched_getaffinity(0, sizeof usable, &usable) == 0) return static_cast<unsigned>(CPU_COUNT(&usable));
  return std::thread::hardware_concurrency();
}

}  // namespace duomap::gpu
