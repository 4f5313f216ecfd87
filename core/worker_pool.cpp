#include "core/worker_pool.hpp"

#include "core/config.hpp"

#include <atomic>

namespace duomap {

void worker_pool::share_indices(std::uint64_t count,
                                const std::function<void(unsigned worker, std::uint64_t index)>& body) {
  if (count < 2 || workers() == 1) {
    for (std::uint64_t index = 0; index < count; ++index) body(0, index);
    return;
  }
  alignas(cache_separation) std::atomic<std::uint64_t> next = 0;
  alignas(cache_separation) std::atomic<bool> failed = false;
  run_workers([&](unsigned worker) {
    while (!failed.load(std::memory_order_relaxed)) {
      const std::uint64_t index = next.fetch_add(1, std::memory_order_relaxed);
      if (index >= count) return;
      try {
        body(worker, index);
      } catch (...) {
        failed.store(true, std::memory_order_relaxed);
        throw;
      }
    }
  });
}

}  // namespace duomap
