// Counts the bytes that a run has taken, and refuses those beyond its budget.
#include "core/memory_budget.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace duomap {

void memory_budget::take(std::uint64_t bytes, const char* what) {
  std::uint64_t taken = taken_.load(std::memory_order_relaxed);
  do {
    if (bytes <= most_.load(std::memory_order_relaxed) - taken) continue;
    if (free_) std::call_once(asked_, [this] { ask(); });
    if (bytes <= most_.load(std::memory_order_relaxed) - taken) continue;
    throw memory_exceeded(
        "the run needs more than the " + std::to_string(limit_.load()) + " bytes of memory it may take: " +
        std::to_string(taken) + " are taken, and " + what + " would take " + std::to_string(bytes) + " more" +
        (copies_ > 1 ? ", " + std::to_string(copies_) + " times its size while it is sorted" : "") +
        "; use fewer threads, process the input in parts (duomap map and duomap merge), or raise the limit "
        "(--memory, run_options::memory; the default is three quarters of the free memory)");
  } while (!taken_.compare_exchange_weak(taken, taken + bytes, std::memory_order_relaxed));
}

void memory_budget::ask() {
  const std::uint64_t taken = taken_.load(std::memory_order_relaxed);
  const std::uint64_t free = free_();
  const std::uint64_t all = free > std::numeric_limits<std::uint64_t>::max() - taken ? free : free + taken;
  limit_.store(all, std::memory_order_relaxed);
  most_.store(std::max(taken, all / copies_), std::memory_order_relaxed);
}

}  // namespace duomap
