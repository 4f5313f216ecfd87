// Deterministic mode on GPUs: the bytes of the CPU's answer, by every engine, alone and together with the
// CPU.
#include "gpu/device/device.hpp"
#include "gpu/engines/engine_choice.hpp"
#include "gpu/make_backend.hpp"
#include "gpu/options.hpp"
#include "tests/conformance/backend_contract.hpp"
#include "tests/conformance/cpu_backends.hpp"
#include "tests/conformance/deterministic_check.hpp"
#include "tests/conformance/deterministic_tasks.hpp"
#include "tests/support/no_gpu.hpp"

#include <atomic>
#include <bit>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#if DUOMAP_HAS_CUDA

namespace duomap::test::gpu_deterministic_test {
namespace {

/// A GPU, or by turns a GPU and the CPU.
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

template <class Task>
void check_engines(const Task& task, std::mt19937_64& random) {
  for (const engine_kind engine : gpu::kind_of<Task>().engines) {
    for (const bool mixed : {false, true}) {
      INFO(name(engine) << (mixed ? " engine and CPU" : " engine"));
      check_same_bytes(task, random, gpu_makers{engine, mixed});
    }
  }
}

/// Centres and points around them, some of them exactly between two.
[[nodiscard]] std::string random_points(std::mt19937_64& random, std::uint64_t points) {
  std::string bytes;
  for (std::uint64_t i = 0; i < 3 * points; ++i) {
    const auto whole = static_cast<std::int32_t>(random()) >> 8;
    bytes += raw(random() % 10 == 0 ? static_cast<float>(whole % 4) : static_cast<float>(whole) * 1e-6f);
  }
  return bytes;
}

TEST_CASE("GPU, deterministic: hashed keys", "[gpu]") {
  if (no_gpu()) return;
  auto random = seeded();
  check_engines(deterministic{hashed_sums<float>{.keys = 3}}, random);
  check_engines(deterministic{hashed_sums<float>{.keys = 20'000}}, random);
  check_engines(deterministic{hashed_sums<double>{.keys = 300}}, random);
}

TEST_CASE("GPU, deterministic: dense keys", "[gpu]") {
  if (no_gpu()) return;
  auto random = seeded();
  for (const std::uint32_t keys : {1u, 10u, 1000u, 50'000u})
    check_engines(deterministic{dense_sums<float>{.keys = keys}}, random);
  check_engines(deterministic{dense_sums<double>{.keys = 100}}, random);
  check_engines(deterministic{moments_by_key{}}, random);
}

TEST_CASE("GPU, deterministic: slots", "[gpu]") {
  if (no_gpu()) return;
  auto random = seeded();
  check_engines(deterministic{number_slots{}}, random);
}

TEST_CASE("GPU, deterministic: the step of k-means", "[gpu]") {
  if (no_gpu()) return;
  auto random = seeded();
  const std::string places = random_points(random, 20);
  std::vector<apps::kmeans_centre<3>> centres;
  for (std::size_t i = 0; i < 20; ++i)
    centres.emplace_back(reinterpret_cast<const float*>(places.data()) + 3 * i);
  const deterministic task{apps::kmeans_step<3>{.centres = {centres.data(), centres.size()}}};
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

// Not the hash engine, whose cells have locks for values of this size: racecheck reports one
// word, between the thread that releases a lock by a plain store and the next one that takes it.
TEST_CASE("GPU, deterministic: a quick run of the dense and the sort engine", "[gpu][sanitize]") {
  if (no_gpu()) return;
  auto random = seeded();
  const std::string numbers = random_numbers(random, 3000);
  const pool_set workers({1});
  const auto same = [&](const auto& task, engine_kind engine) {
    using task_type = std::remove_cvref_t<decltype(task)>;
    const auto with = [&](const auto& make) {
      return answer_bytes<task_type>(run_shaped(task, text_input(numbers), workers, make, product_shapes[0]));
    };
    CHECK(with(gpu_makers{engine}) == with(cpu_backends));
  };
  same(deterministic{hashed_sums<float>{.keys = 30}}, engine_kind::sort);
  same(deterministic{dense_sums<double>{.keys = 30}}, engine_kind::dense);
  same(deterministic{number_slots{}}, engine_kind::dense);
}

}  // namespace
}  // namespace duomap::test::gpu_deterministic_test

#endif
