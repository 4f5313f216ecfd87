// Tests the engines of gpu/engines with maps that emit items: every engine keeps the contract, alone and
// beside the CPU.
#include "cpu/cpu_backend.hpp"
#include "gpu/device/device.hpp"
#include "gpu/options.hpp"
#include "tests/gpu/engines/item_tasks.hpp"
#include "tests/support/no_gpu.hpp"

#include <atomic>
#include <memory>
#include <utility>

#if DUOMAP_HAS_CUDA

namespace duomap::test::gpu_engines_emitted_items_test {
namespace {

/// Makes GPU backends with `options`. With `mixed`, half of a run's backends work on the CPU.
auto backends_with(gpu::backend_options options, bool mixed = false) {
  return [options, mixed]<class Task>(const Task& task, worker_pool& pool) -> std::unique_ptr<backend<Task>> {
    static std::atomic<unsigned> turn = 0;
    if (mixed && turn++ % 2 == 0) return std::make_unique<cpu::cpu_backend<Task>>(task, pool);
    return std::move(gpu::make_backends(task, {gpu::discover().devices.front().index}, options).front());
  };
}

}  // namespace

TEST_CASE("GPU: items under hashed keys", "[gpu]") {
  if (no_gpu()) return;
  check_items_of_hashed_keys(backends_with({}));
  check_items_of_hashed_keys(backends_with({}, true));
  check_items_of_hashed_keys(backends_with({.engine = engine_kind::sort}));
}

TEST_CASE("GPU: items under dense keys", "[gpu]") {
  if (no_gpu()) return;
  check_items_of_dense_keys(backends_with({}));
  check_items_of_dense_keys(backends_with({}, true));
  check_items_of_dense_keys(backends_with({.engine = engine_kind::sort}));
  for (const gpu::dense_path path :
       {gpu::dense_path::device_cells, gpu::dense_path::ranges, gpu::dense_path::partitions})
    check_items_of_dense_keys(backends_with({.dense = path}));
}

TEST_CASE("GPU: items without keys", "[gpu]") {
  if (no_gpu()) return;
  check_items_without_keys(backends_with({}));
  check_items_without_keys(backends_with({}, true));
}

TEST_CASE("GPU: items whose order counts", "[gpu]") {
  if (no_gpu()) return;
  check_items_in_order(backends_with({}));
  check_items_in_order(backends_with({}, true));
  check_items_in_order(backends_with({.engine = engine_kind::sort}));
}

}  // namespace duomap::test::gpu_engines_emitted_items_test

#endif
