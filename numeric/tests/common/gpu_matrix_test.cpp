// Tests the parts of matrices in the memory of a GPU that need no GPU.
#include "numeric/common/gpu_matrix.hpp"

#include "core/error.hpp"
#include "cpu/machine_pool.hpp"
#include "numeric/kmeans/kmeans.hpp"
#include "tests/catch.hpp"

#include <cstdint>
#include <vector>

namespace duomap::test::numeric_common_gpu_matrix_test {
namespace {

TEST_CASE("the rows at some places are copied in their order", "[numeric]") {
  const std::vector<double> values = {1, 2, 3, 4, 5, 6};
  const std::vector<std::uint64_t> wanted = {2, 0, 2};
  CHECK(rows_at(matrix_view<double>(values, 2), wanted) == std::vector<double>{5, 6, 1, 2, 5, 6});
}

TEST_CASE("a job over a matrix on a GPU runs on that GPU alone", "[numeric]") {
  const run_options job = on_its_gpu({}, 3, "points");
  CHECK(job.device == device_choice::gpu);
  CHECK(job.gpus == std::vector<int>{3});
  CHECK_NOTHROW(require_device_of_matrix(device_choice::gpu, std::vector<int>{3}, 3, "points"));
  for (const device_choice device : {device_choice::cpu, device_choice::cpu_gpu}) {
    CHECK_THROWS_AS(require_device_of_matrix(device, {}, 3, "points"), usage_error);
    CHECK_THROWS_WITH(require_device_of_matrix(device, {}, 3, "points"),
                      contains("the CPU does not read points in the memory of gpu 3"));
  }
  CHECK_THROWS_WITH(require_device_of_matrix(device_choice::automatic, std::vector<int>{3, 4}, 3, "points"),
                    contains("other GPUs were chosen"));
  CHECK_NOTHROW(require_one_gpu(3, "the training rows lie", 3, "the queries"));
  CHECK_THROWS_WITH(
      require_one_gpu(3, "the training rows lie", 4, "the queries"),
      "the training rows lie in the memory of gpu 3, the queries in that of gpu 4; both need the same");
}

#if !DUOMAP_HAS_CUDA
TEST_CASE("a program without GPU code takes no matrix on a GPU", "[numeric]") {
  const gpu_matrix<float> nowhere{nullptr, 4, 2, 0};
  const auto pool = cpu::machine_pool(1);
  CHECK_THROWS_AS(kmeans(nowhere, {.clusters = 2}, *pool), device_unavailable);
  CHECK_THROWS_WITH(kmeans(nowhere, {.clusters = 2}, *pool), contains("built without GPU code"));
}
#endif

}  // namespace
}  // namespace duomap::test::numeric_common_gpu_matrix_test
