// Tests the engines of gpu/engines in deterministic mode: every engine gives the bytes of the CPU's answer,
// alone and together with the CPU.
#include "gpu/device/device.hpp"
#include "gpu/engines/engine_choice.hpp"
#include "gpu/make_backend.hpp"
#include "gpu/options.hpp"
#include "tests/conformance/backend_contract.hpp"
#include "tests/conformance/cpu_backends.hpp"
#include "tests/conformance/deterministic_check.hpp"
#include "tests/conformance/deterministic_tasks.hpp"
#include "tests/conformance/gpu_makers.hpp"
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

namespace duomap::test::gpu_engines_deterministic_mode_test {
namespace {

template <class Task>
void check_engines(const Task& task, std::mt19937_64& random) {
  for (const engine_kind engine : gpu::kind_of<Task>().engines) {
    for (const bool mixed : {false, true}) {
      INFO(name(engine) << (mixed ? " engine and CPU" : " engine"));
      check_same_bytes(task, random, gpu_makers{engine, mixed});
    }
  }
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

// Without the hash engine, whose cells have locks for values of this size. Racecheck reports the lock itself:
// one thread releases it by a plain store, the next takes it.
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
}  // namespace duomap::test::gpu_engines_deterministic_mode_test

#endif
