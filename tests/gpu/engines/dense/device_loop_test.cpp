// Tests the resident loop of a GPU (core/resident_loop.hpp) against the CPU backend.
#include "core/error.hpp"
#include "core/resident_loop.hpp"
#include "cpu/cpu_backend.hpp"
#include "gpu/device/device.hpp"
#include "gpu/make_resident.hpp"
#include "tests/conformance/backend_contract.hpp"
#include "tests/conformance/number_rows.hpp"
#include "tests/gpu/support/dense_tasks.hpp"
#include "tests/support/no_gpu.hpp"

#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#if DUOMAP_HAS_CUDA

namespace duomap::test::gpu_engines_dense_device_loop_test {
namespace {

int first_gpu() { return gpu::discover().devices.front().index; }

template <class Task>
auto expected_of(const Task& task, const std::string& rows) {
  const pool_set workers({4});
  const auto cpu = [](const Task& with, worker_pool& pool) -> std::unique_ptr<backend<Task>> {
    return std::make_unique<cpu::cpu_backend<Task>>(with, pool);
  };
  return answer_of<Task>(run_shaped(task, make_input(sample{"rows", {rows}}), workers, cpu, run_shape{}));
}

}  // namespace

TEST_CASE("Resident loop: no keys at all", "[gpu][sanitize]") {
  if (no_gpu()) return;
  const pairs_by_key<sum<std::int64_t>> task{.keys = 0};
  const std::string pairs = random_numbers(2, seed());
  const auto none = gpu::make_resident(task, chunk{pairs.data(), 0, 0, 0}, first_gpu());
  CHECK(none->step(task).size() == 0);
  const auto one = gpu::make_resident(task, chunk{pairs.data(), pairs.size(), 0, 0}, first_gpu());
  CHECK_THROWS_AS(one->step(task), map_failed);
}

TEST_CASE("Resident loop: what it holds grows, shrinks and moves", "[gpu][sanitize]") {
  if (no_gpu()) return;
  const pairs_by_key<sum<std::int64_t>> task{.keys = 10};
  const std::string pairs = random_numbers(2 * 100'000, seed());
  const auto loop = gpu::make_resident(task, chunk{}, first_gpu());
  struct move {
    std::uint64_t begin, end, copied;  // rows; `copied` of them are new to the device
  };
  for (const auto& [begin, end, copied] :
       {move{0, 1000, 1000}, move{0, 500, 0}, move{0, 900, 0}, move{0, 90'000, 89'000}, move{0, 90'100, 100},
        move{100, 90'100, 0}, move{50, 80'000, 50}, move{90'000, 100'000, 10'000}, move{0, 0, 0},
        move{90'000, 99'000, 0}, move{0, 100'000, 90'000}}) {
    CAPTURE(begin, end);
    const chunk part{pairs.data() + 8 * begin, 8 * (end - begin), 8 * begin, 0};
    CHECK(loop->hold(part) == 8 * copied);
    CHECK(loop->hold(part) == 0);
    for (int round = 0; round < 2; ++round) {
      const dense_result<pairs_by_key<sum<std::int64_t>>> found(task, loop->step(task));
      CHECK(difference(answer_of<pairs_by_key<sum<std::int64_t>>>(found),
                       expected_of(task, pairs.substr(8 * begin, 8 * (end - begin)))) == "");
    }
  }
  CHECK(loop->most_bytes() >= pairs.size());
}

TEST_CASE("Resident loop: a part that is large enough for the feeder arrives whole", "[gpu]") {
  if (no_gpu()) return;
  const pairs_by_key<sum<std::int64_t>> task{.keys = 100};
  std::string pairs = random_numbers(1 << 20, seed());
  while (pairs.size() < (std::uint64_t{600} << 20)) pairs += pairs.substr(0, (std::uint64_t{37} << 20) + 8);
  const auto loop = gpu::make_resident(task, chunk{pairs.data(), pairs.size(), 0, 0}, first_gpu());
  const dense_result<pairs_by_key<sum<std::int64_t>>> found(task, loop->step(task));
  CHECK(difference(answer_of<pairs_by_key<sum<std::int64_t>>>(found), expected_of(task, pairs)) == "");
}

TEST_CASE("Resident loop: steps give what a run gives", "[gpu]") {
  if (no_gpu()) return;
  using task_type = pairs_by_key<sum<std::int64_t>>;
  for (const std::uint64_t rows : {0u, 1u, 1000u, 10'000u, 1'500'001u}) {
    const std::string pairs = random_numbers(2 * rows, seed() + rows);
    for (const std::uint64_t keys : {1u, 100u, 5000u, 1'000'000u}) {
      CAPTURE(rows, keys);
      const task_type task{.keys = keys};
      const auto loop = gpu::make_resident(task, chunk{pairs.data(), pairs.size(), 0, 0}, first_gpu());
      const auto expected = expected_of(task, pairs);
      for (unsigned round = 0; round < 3; ++round) {
        double seconds = -1;
        const dense_result<task_type> found(task, loop->step(task, round == 1 ? &seconds : nullptr));
        CHECK(difference(answer_of<task_type>(found), expected) == "");
        CHECK((seconds >= 0) == (round == 1));
      }
    }
  }
}

TEST_CASE("Resident loop: every step has its own state", "[gpu][sanitize]") {
  if (no_gpu()) return;
  auto random = seeded();
  std::vector<std::int32_t> numbers(50'000);
  for (auto& number : numbers) number = static_cast<std::int32_t>(random());
  const std::string rows = bytes_of(numbers);
  // Up to 384 centres travel with the task; more are copied.
  for (const std::uint64_t count : {1u, 5u, 384u, 385u, 2000u}) {
    CAPTURE(count);
    std::vector<std::int64_t> centres(count);
    const nearest_centre nearest{.centres = {centres.data(), centres.size()}};
    const far_centres far{.centres = {centres.data(), centres.size()}};
    const chunk part{rows.data(), rows.size(), 0, 0};
    const auto nearest_loop = gpu::make_resident(nearest, part, first_gpu());
    const auto far_loop = gpu::make_resident(far, part, first_gpu());
    for (unsigned round = 0; round < 3; ++round) {
      for (auto& centre : centres) centre = static_cast<std::int32_t>(random());
      const dense_result<nearest_centre> found(nearest, nearest_loop->step(nearest));
      CHECK(difference(answer_of<nearest_centre>(found), expected_of(nearest, rows)) == "");
      CHECK(difference(answer_of<far_centres>(far_loop->step(far)), expected_of(far, rows)) == "");
    }
    const nearest_centre other{.centres = {centres.data(), centres.size() - 1}};
    CHECK_THROWS_AS(nearest_loop->step(other), std::logic_error);
  }
}

}  // namespace duomap::test::gpu_engines_dense_device_loop_test

#endif
