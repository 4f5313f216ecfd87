// The interface between core's parallel stages and an owner of threads: run a body on every worker, loop over
// indices.
#pragma once

#include <cstdint>
#include <functional>

namespace duomap {

/// A fixed number of workers. One thread at a time may call a pool, and a body must not call the pool that
/// runs it.
class worker_pool {
 public:
  worker_pool() = default;
  worker_pool(const worker_pool&) = delete;
  worker_pool& operator=(const worker_pool&) = delete;
  virtual ~worker_pool() = default;

  /// Number of workers, at least 1. It never changes, so that per-worker state can be sized by it.
  [[nodiscard]] virtual unsigned workers() const noexcept = 0;

  /// Estimated seconds that run_workers() takes until threads other than the caller's are at work.
  [[nodiscard]] virtual double wake_seconds() const noexcept { return 0; }

  /// Calls body(worker) exactly once for each worker in [0, workers()) and returns when all have returned.
  /// Calls may overlap but need not: a thread may run several bodies one after another. So a body takes
  /// shared work until there is none and never waits for another body. The writes of bodies are visible to
  /// the caller afterwards. If bodies throw, all of them still run, and the first exception is rethrown.
  virtual void run_workers(const std::function<void(unsigned worker)>& body) = 0;

  /// Calls body(worker, index) once for each index in [0, count), in any order and possibly at the same time.
  /// Few indices cost an atomic increment each, so they should stand for some microseconds of work. If a body
  /// throws, indices that have not started are skipped, and the first exception is rethrown. The calling
  /// thread does the work if there is one index, or one worker.
  void share_indices(std::uint64_t count,
                     const std::function<void(unsigned worker, std::uint64_t index)>& body);

  /// share_indices() for bodies that need not know which worker calls.
  void for_each_index(std::uint64_t count, const std::function<void(std::uint64_t index)>& body) {
    share_indices(count, [&](unsigned, std::uint64_t index) { body(index); });
  }
};

/// A pool with one worker, the calling thread. It is for tests, tools, and inputs that are too small to
/// share.
class sequential final : public worker_pool {
 public:
  [[nodiscard]] unsigned workers() const noexcept override { return 1; }

  void run_workers(const std::function<void(unsigned worker)>& body) override { body(0); }
};

}  // namespace duomap
