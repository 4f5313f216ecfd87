// Makes the backends of a GPU run for tests.
#pragma once

#include "gpu/device/device.hpp"
#include "gpu/make_backend.hpp"
#include "gpu/options.hpp"
#include "tests/conformance/backend_contract.hpp"
#include "tests/conformance/cpu_backends.hpp"

#include <atomic>
#include <memory>
#include <utility>

namespace duomap::test {

/// Makes GPU backends, or by turns a CPU backend and a GPU backend.
struct gpu_makers {
  engine_kind engine;
  bool mixed = false;
  std::shared_ptr<std::atomic<unsigned>> turn = std::make_shared<std::atomic<unsigned>>(0);

  template <class Task>
  std::unique_ptr<backend<Task>> operator()(const Task& task, worker_pool& pool) const {
    if (mixed && (*turn)++ % 2 == 0) return cpu_backends(task, pool);
    return std::move(
        gpu::make_backends(task, {gpu::discover().devices.front().index}, {.engine = engine}).front());
  }
};

}  // namespace duomap::test
