// Hands out indices to workers, several at a time.
#include "core/worker_pool.hpp"

#include "core/config.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>

namespace duomap {

void worker_pool::share_indices(std::uint64_t count,
                                const std::function<void(unsigned worker, std::uint64_t index)>& body) {
  if (count < 2 || workers() == 1) {
    for (std::uint64_t index = 0; index < count; ++index) body(0, index);
    return;
  }
  // With many indices a worker takes several at a time. Otherwise workers on many cores would wait for each
  // other at the counter.
  const std::uint64_t step = std::max<std::uint64_t>(count / (std::uint64_t{16} * workers()), 1);
  alignas(cache_separation) std::atomic<std::uint64_t> next = 0;
  alignas(cache_separation) std::atomic<bool> failed = false;
  run_workers([&](unsigned worker) {
    while (true) {
      const std::uint64_t first = next.fetch_add(step, std::memory_order_relaxed);
      if (first >= count) return;
      for (std::uint64_t index = first; index < std::min(first + step, count); ++index) {
        if (failed.load(std::memory_order_relaxed)) return;
        try {
          body(worker, index);
        } catch (...) {
          failed.store(true, std::memory_order_relaxed);
          throw;
        }
      }
    }
  });
}

}  // namespace duomap
