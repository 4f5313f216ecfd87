// Tests minima and maxima with NaN on the engines of gpu/engines, by every path, against folding the values
// one by one.
#include "gpu/device/device.hpp"
#include "gpu/make_backend.hpp"
#include "gpu/options.hpp"
#include "tests/conformance/backend_contract.hpp"
#include "tests/support/no_gpu.hpp"

#include <memory>
#include <utility>

#if DUOMAP_HAS_CUDA

namespace duomap::test::gpu_engines_extremes_and_nan_test {
namespace {

auto backends_with(gpu::backend_options options) {
  return [options]<class Task>(const Task& task, worker_pool&) -> std::unique_ptr<backend<Task>> {
    return std::move(gpu::make_backends(task, {gpu::discover().devices.front().index}, options).front());
  };
}

TEST_CASE("GPU backend: extremes of numbers and NaN, by the default engines and by sorting", "[gpu]") {
  if (no_gpu()) return;
  check_nan(backends_with({}));
  check_nan(backends_with({.engine = engine_kind::sort}));
}

TEST_CASE("GPU backend: extremes of numbers and NaN, on every path for keys", "[gpu]") {
  if (no_gpu()) return;
  using dense = gpu::dense_path;
  for (const dense path : {dense::device_cells, dense::ranges, dense::partitions})
    check_nan(backends_with({.dense = path}));
  using hashed = gpu::aggregation_path;
  for (const hashed path : {hashed::general, hashed::block_table, hashed::partitioned})
    check_nan(backends_with({.path = path}));
}

}  // namespace
}  // namespace duomap::test::gpu_engines_extremes_and_nan_test

#endif
