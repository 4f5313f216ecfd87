// A pool of workers for the parallel stages of core/: runs a function on every worker, or loops over indices.
#pragma once

#include <cstdint>
#include <functional>

namespace duomap {

/// A fixed number of workers. One thread at a time may call a pool. A body must not call its own pool.
class worker_pool {
 public:
  worker_pool() = default;
  worker_pool(const worker_pool&) = delete;
  worker_pool& operator=(const worker_pool&) = delete;
  virtual ~worker_pool() = default;

  /// The number of workers, at least 1. It never changes, so callers may size arrays by it.
  [[nodiscard]] virtual unsigned workers() const noexcept = 0;

  /// Estimated seconds from a call of run_workers() until threads other than the caller are at work.
  [[nodiscard]] virtual double wake_seconds() const noexcept { return 0; }

  /// Calls body(worker) exactly once for each worker in [0, workers()), and returns when all calls have
  /// returned. Calls may run at the same time, or one after another on one thread. So a body must take shared
  /// work until there is none, and never wait for another body. The caller sees all writes of the bodies
  /// afterwards. If bodies throw, all of them still run, and the first exception is rethrown.
  virtual void run_workers(const std::function<void(unsigned worker)>& body) = 0;

  /// Calls body(worker, index) once for each index in [0, count), in any order, possibly at the same time.
  /// Each index may cost an atomic increment, so its body should take some microseconds. If a body throws,
  /// the indices that have not started are skipped, and the first exception is rethrown. If there is one
  /// index or one worker, the calling thread does the work.
  void share_indices(std::uint64_t count,
                     const std::function<void(unsigned worker, std::uint64_t index)>& body);

  /// Like share_indices(), for bodies that need not know their worker.
  void for_each_index(std::uint64_t count, const std::function<void(std::uint64_t index)>& body) {
    share_indices(count, [&](unsigned, std::uint64_t index) { body(index); });
  }
};

/// A pool whose only worker is the calling thread. For tests, tools, and inputs that are too small to share.
class sequential final : public worker_pool {
 public:
  [[nodiscard]] unsigned workers() const noexcept override { return 1; }

  void run_workers(const std::function<void(unsigned worker)>& body) override { body(0); }
};

}  // namespace duomap
