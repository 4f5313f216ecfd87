// Remembers how many threads the last device needed, and counts the cores this process may use.
#include "gpu/feed/feed_policy.hpp"

#include <sched.h>

#include <atomic>
#include <thread>

namespace duomap::gpu {
namespace {

// Threads for the next device; 0: not measured yet. Relaxed, because no other data depends on it.
std::atomic<unsigned> next_threads = 0;

}  // namespace

unsigned expected_staging_threads(unsigned cores, unsigned devices) {
  const unsigned most = staging_threads(cores, devices);
  const unsigned next = next_threads.load(std::memory_order_relaxed);
  return next > 0 ? std::min(next, most) : most;
}

// If the device needed all its threads, it may have needed more, so the next device gets one more. Otherwise
// the number falls by one at most, because too few threads cost more than too many: counting the words of 4
// GB took 134 ms with 7 threads and 9 workers, and 87 to 92 with 10 threads and 5 workers.
void remember_staging_threads(unsigned needed) {
  const unsigned before = next_threads.load(std::memory_order_relaxed);
  const unsigned next = needed == 0 || before == 0 ? needed : needed >= before ? needed + 1 : before - 1;
  next_threads.store(next, std::memory_order_relaxed);
}

unsigned usable_cores() {
  cpu_set_t usable;
  CPU_ZERO(&usable);
  if (::sched_getaffinity(0, sizeof usable, &usable) == 0) return static_cast<unsigned>(CPU_COUNT(&usable));
  return std::thread::hardware_concurrency();
}

}  // namespace duomap::gpu
