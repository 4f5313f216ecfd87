// Tests numeric/kmeans/kmeans_step.hpp: in deterministic mode a step has the same bytes on the CPU, on a GPU
// and on both.
#include "numeric/tests/kmeans/deterministic_step.hpp"

#include "core/engine_kind.hpp"
#include "tests/catch.hpp"
#include "tests/conformance/backend_contract.hpp"
#include "tests/conformance/cpu_backends.hpp"
#include "tests/conformance/deterministic_check.hpp"
#include "tests/conformance/gpu_makers.hpp"
#include "tests/support/no_gpu.hpp"

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#if DUOMAP_HAS_CUDA

namespace duomap::test::numeric_kmeans_deterministic_step_test {
namespace {

/// Centres and random points, some of which lie exactly between two centres.
[[nodiscard]] std::string random_points(std::mt19937_64& random, std::uint64_t points) {
  std::string bytes;
  for (std::uint64_t i = 0; i < 3 * points; ++i) {
    const auto whole = static_cast<std::int32_t>(random()) >> 8;
    bytes += raw(random() % 10 == 0 ? static_cast<float>(whole % 4) : static_cast<float>(whole) * 1e-6f);
  }
  return bytes;
}

TEST_CASE("GPU, deterministic: the step of k-means", "[gpu]") {
  if (no_gpu()) return;
  auto random = seeded();
  const std::string places = random_points(random, 20);
  std::vector<apps::kmeans_center<3>> centres;
  for (std::size_t i = 0; i < 20; ++i)
    centres.emplace_back(reinterpret_cast<const float*>(places.data()) + 3 * i);
  const deterministic task{apps::kmeans_step<3>{.centers = {centres.data(), centres.size()}}};
  const sample points{"points", {random_points(random, 40'000), random_points(random, 777)}};
  const auto bytes = [&](const auto& make, const std::vector<unsigned>& workers, const run_shape& shape) {
    std::string all;
    run_shaped(task, make_input(points, shape.form), pool_set(workers), make, shape)
        .for_each([&](std::uint64_t centre, const apps::kmeans_sum<3>& sum) {
          all += raw(centre) + raw(sum.at[0]) + raw(sum.at[1]) + raw(sum.at[2]) + raw(sum.points);
        });
    return all;
  };
  const std::string expected = bytes(cpu_backends, {1}, product_shapes[0]);
  for (const run_shape& shape : product_shapes) {
    CHECK(bytes(gpu_makers{engine_kind::dense}, {1}, shape) == expected);
    CHECK(bytes(gpu_makers{engine_kind::sort}, {1}, shape) == expected);
    CHECK(bytes(gpu_makers{engine_kind::dense, true}, {2, 1}, shape) == expected);
  }
}

}  // namespace
}  // namespace duomap::test::numeric_kmeans_deterministic_step_test

#endif
