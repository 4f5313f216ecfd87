// Calls the scheduler's affinity functions with masks of any size.
#include "cpu/affinity.hpp"

#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <memory>
#include <utility>

namespace duomap::cpu {
namespace {

struct release_mask {
  void operator()(cpu_set_t* set) const noexcept { CPU_FREE(set); }
};

/// Makes a mask for `capacity` CPUs with no CPU set; nullptr when there is no memory.
std::unique_ptr<cpu_set_t, release_mask> empty_mask(std::size_t capacity) {
  std::unique_ptr<cpu_set_t, release_mask> set(CPU_ALLOC(capacity));
  if (set) CPU_ZERO_S(CPU_ALLOC_SIZE(capacity), set.get());
  return set;
}

bool bind_calling_thread(const std::vector<unsigned>& cpus) {
  if (cpus.empty()) return false;
  const std::size_t capacity = std::size_t{*std::max_element(cpus.begin(), cpus.end())} + 1;
  const auto set = empty_mask(capacity);
  if (!set) return false;
  for (const unsigned cpu : cpus) CPU_SET_S(cpu, CPU_ALLOC_SIZE(capacity), set.get());
  return sched_setaffinity(0, CPU_ALLOC_SIZE(capacity), set.get()) == 0;
}

}  // namespace

std::vector<unsigned> allowed_cpus() {
  // The kernel refuses a mask smaller than its own with EINVAL, and does not tell the size. So larger and
  // larger masks are tried, up to this number of CPUs.
  constexpr std::size_t largest = std::size_t{1} << 20;
  for (std::size_t capacity = 1024; capacity <= largest; capacity *= 2) {
    const auto set = empty_mask(capacity);
    if (!set) return {};
    const std::size_t bytes = CPU_ALLOC_SIZE(capacity);
    if (sched_getaffinity(0, bytes, set.get()) == 0) {
      std::vector<unsigned> cpus;
      for (std::size_t cpu = 0; cpu < capacity; ++cpu) {
        if (CPU_ISSET_S(cpu, bytes, set.get())) cpus.push_back(static_cast<unsigned>(cpu));
      }
      return cpus;
    }
    if (errno != EINVAL) return {};
  }
  return {};
}

scoped_affinity::scoped_affinity(const std::vector<unsigned>& cpus) {
  if (cpus.empty()) return;
  auto before = allowed_cpus();
  if (!before.empty() && bind_calling_thread(cpus)) previous_ = std::move(before);
}

scoped_affinity::~scoped_affinity() {
  if (!previous_.empty()) bind_calling_thread(previous_);
}

}  // namespace duomap::cpu
