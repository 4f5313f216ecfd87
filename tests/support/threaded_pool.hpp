// Makes a worker pool of plain threads. The thread sanitizer sees all of it, unlike oneTBB, and any number of
// workers is possible.
#pragma once

#include "core/worker_pool.hpp"

#include <algorithm>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace duomap::test {

/// Starts new threads for every call.
class threaded_pool final : public worker_pool {
 public:
  explicit threaded_pool(unsigned workers) : workers_(workers) {}

  [[nodiscard]] unsigned workers() const noexcept override { return workers_; }

  void run_workers(const std::function<void(unsigned worker)>& body) override {
    std::mutex mutex;
    std::exception_ptr first;
    {
      std::vector<std::jthread> threads;
      for (unsigned worker = 0; worker < workers_; ++worker) {
        threads.emplace_back([&, worker] {
          try {
            body(worker);
          } catch (...) {
            const std::lock_guard lock(mutex);
            if (!first) first = std::current_exception();
          }
        });
      }
    }
    if (first) std::rethrow_exception(first);
  }

 private:
  unsigned workers_;
};

}  // namespace duomap::test
