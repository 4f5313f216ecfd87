// Binds the calling thread to a list of CPUs.
#include "gpu/feed/stay_on.hpp"

#include <sched.h>

#include <algorithm>
#include <cstddef>

namespace duomap::gpu {

void stay_on(const std::vector<unsigned>& cpus) noexcept {
  if (cpus.empty()) return;
  const std::size_t capacity = std::size_t{*std::max_element(cpus.begin(), cpus.end())} + 1;
  cpu_set_t* const set = CPU_ALLOC(capacity);
  if (set == nullptr) return;
  const std::size_t bytes = CPU_ALLOC_SIZE(capacity);
  CPU_ZERO_S(bytes, set);
  for (const unsigned cpu : cpus) CPU_SET_S(cpu, bytes, set);
  static_cast<void>(::sched_setaffinity(0, bytes, set));
  CPU_FREE(set);
}

}  // namespace duomap::gpu
