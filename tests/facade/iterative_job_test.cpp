// Tests iterative jobs: each step gives the answer of a plain run, whichever devices take part and however
// they share the data.

#include "scheduler/iterative/iterative_job.hpp"

#include "duomap.hpp"
#include "tests/catch.hpp"
#include "tests/gpu/support/dense_tasks.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/no_gpu.hpp"
#include "tests/support/threaded_pool.hpp"

#include <cstdint>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace duomap::test::facade_iterative_job_test {
namespace {

std::string random_bytes(std::mt19937_64& random, std::uint64_t bytes) {
  std::string all(bytes, '\0');
  for (std::uint64_t i = 0; i + sizeof(std::uint64_t) <= bytes; i += sizeof(std::uint64_t)) {
    const std::int64_t number = static_cast<std::int64_t>(random()) >> 30;  // so that no sum overflows
    std::memcpy(all.data() + i, &number, sizeof number);
  }
  return all;
}

template <class Task>
void require_same(const dense_result<Task>& found, const dense_result<Task>& expected) {
  REQUIRE(found.size() == expected.size());
  std::uint64_t different = 0;  // counts, so that many keys need one check
  for (std::uint64_t key = 0; key < found.size(); ++key) {
    if (found.contains(key) != expected.contains(key) || (found.contains(key) && found[key] != expected[key]))
      ++different;
  }
  REQUIRE(different == 0);
}

template <class... R>
void require_same(const slots_partial<R...>& found, const slots_partial<R...>& expected) {
  REQUIRE(found.template get<0>() == expected.template get<0>());
  REQUIRE(found.template get<1>() == expected.template get<1>());
}

/// Steps a job and compares each with a plain run on one thread.
template <class Task>
void check_step(iterative_job<Task>& job, const Task& task, const input& from) {
  sequential here;
  require_same(job.step(task), run(task, from, here, {.device = device_choice::cpu}));
}

/// Changes the centres in every step.
struct moving_centres {
  explicit moving_centres(std::uint64_t count) : values(count) {}
  template <class Task>
  [[nodiscard]] Task next(std::mt19937_64& random) {
    for (auto& value : values) value = static_cast<std::int32_t>(random());
    return {.centres = {values.data(), values.size()}};
  }
  std::vector<std::int64_t> values;
};

/// Claims that a step takes 1 s on the CPU and 1 ms on a GPU, for which the task has no code.
struct believed_centre : nearest_centre {
  [[nodiscard]] double cpu_seconds(std::uint64_t /*bytes*/, unsigned /*workers*/) const { return 1; }
  [[nodiscard]] double gpu_seconds(std::uint64_t /*bytes*/) const { return 1e-3; }
};

/// Tests jobs with any choice of devices.
void check_jobs(const run_options& options, std::initializer_list<double> gpu_shares) {
  std::mt19937_64 random(seed());
  threaded_pool workers(3);
  for (const std::uint64_t rows_in_all : {0u, 1u, 100u, 20'000u, 200'001u}) {
    CAPTURE(rows_in_all);
    const std::string numbers = random_bytes(random, 8 * rows_in_all);
    const input from = text_input(numbers);
    for (const std::uint64_t count : {3u, 500u}) {     // 3 centres travel with the task, 500 are copied
      if (count * rows_in_all > 20'000'000) continue;  // would take a second
      moving_centres centres(count);
      auto nearest = centres.next<nearest_centre>(random);
      iterative_job near_job(nearest, from, workers, options);
      iterative_job far_job(centres.next<far_centres>(random), from, workers, options);
      for (const double share : gpu_shares) {
        if (share >= 0) {
          near_job.share_by_hand(share);
          far_job.share_by_hand(share);
        }
        for (int step = 0; step < 3; ++step) {
          check_step(near_job, centres.next<nearest_centre>(random), from);
          check_step(far_job, centres.next<far_centres>(random), from);
        }
        moving_centres two(2);
        const auto other = two.next<nearest_centre>(random);
        sequential here;
        require_same(near_job.pass(nearest, other), run(other, from, here, {.device = device_choice::cpu}));
      }
      CHECK_FALSE(near_job.report().degraded);
    }
    const pairs_by_key<sum<std::int64_t>> pairs{.keys = 70'000};
    iterative_job pair_job(pairs, from, workers, options);
    for (const double share : gpu_shares) {
      if (share >= 0) pair_job.share_by_hand(share);
      check_step(pair_job, pairs, from);
    }
  }
  const input indices = index_input(5001);
  iterative_job index_job(pair_distances{}, indices, workers, options);
  for (const double share : gpu_shares) {
    if (share >= 0) index_job.share_by_hand(share);
    for (int step = 0; step < 3; ++step) check_step(index_job, pair_distances{}, indices);
  }
}

constexpr double corrected = -1;  // the job shares by itself

}  // namespace

TEST_CASE("iterative job: the CPU alone gives what runs give", "[iterative_job]") {
  check_jobs({.device = device_choice::cpu}, {corrected, 0.0});
}

TEST_CASE("iterative job: left alone, it takes what there is", "[iterative_job]") {
  check_jobs({}, {corrected});
}

TEST_CASE("iterative job: tasks without GPU code, of any kind, run on the CPU", "[iterative_job]") {
  const input from = text_input("one two three two three three");
  iterative_job job(word_counts{}, from);
  for (int step = 0; step < 2; ++step) {
    const auto counts = job.step(word_counts{});
    CHECK(counts.size() == 3);
  }
  CHECK(job.report().steps == 2);
  CHECK_THROWS_AS((iterative_job(word_counts{}, from, {.device = device_choice::gpu})), device_unavailable);
}

TEST_CASE("iterative job: GPUs are looked for at once when the expected steps pay for it",
          "[iterative_job]") {
  std::mt19937_64 random(seed());
  const input from = text_input(random_bytes(random, 40'000));
  moving_centres centres(4);
  threaded_pool workers(2);
  for (const std::uint32_t steps : {0u, 10u}) {
    const believed_centre task{centres.next<nearest_centre>(random)};
    iterative_job job(task, from, workers, {.steps = {.expected = steps}});
    static_cast<void>(job.step(task));
    // If many steps are expected, a note says why no GPU takes part.
    CHECK(job.report().notes.empty() == (steps == 0));
  }
}

TEST_CASE("iterative job: a stream is read once and kept", "[iterative_job]") {
  std::mt19937_64 random(seed());
  const sample numbers{"numbers", {random_bytes(random, 40'000)}};
  const input streamed = make_input(numbers, layout::streamed);
  const input addressable = make_input(numbers);
  moving_centres centres(4);
  iterative_job job(centres.next<nearest_centre>(random), streamed, {.device = device_choice::cpu});
  for (int step = 0; step < 3; ++step) check_step(job, centres.next<nearest_centre>(random), addressable);
}

TEST_CASE("iterative job: one source, not several", "[iterative_job]") {
  const input several = make_input(sample{"numbers", {"12345678", "12345678"}});
  CHECK_THROWS_WITH((iterative_job(pair_distances{}, several)),
                    contains("one source, and this input has 2, beginning with 'numbers 0'"));
  const input none;
  iterative_job job(pair_distances{}, none);
  CHECK(job.step(pair_distances{}).size() == 128);
}

#if DUOMAP_HAS_CUDA

TEST_CASE("iterative job: GPUs alone, together with the CPU, and corrected", "[gpu][iterative_job]") {
  if (no_gpu()) return;
  check_jobs({.device = device_choice::gpu}, {corrected, 1.0});
  check_jobs({.device = device_choice::cpu_gpu}, {corrected, 0.3, 1.0, 0.0, 0.7, 0.71});
  check_jobs({.device = device_choice::cpu_gpu, .steps = {.most_resident_bytes = 70'000}}, {corrected, 1.0});
}

TEST_CASE("iterative job: steps on a GPU", "[gpu][sanitize][iterative_job]") {
  if (no_gpu()) return;
  std::mt19937_64 random(seed());
  threaded_pool workers(2);
  const std::string numbers = random_bytes(random, 8 * 30'000);
  const input from = text_input(numbers);
  moving_centres centres(5);
  iterative_job job(centres.next<nearest_centre>(random), from, workers, {.device = device_choice::cpu_gpu});
  for (const double share : {0.4, 1.0, 0.6}) {
    job.share_by_hand(share);
    for (int step = 0; step < 2; ++step) check_step(job, centres.next<nearest_centre>(random), from);
  }
}

TEST_CASE("iterative job: moving the boundary copies the difference only", "[gpu][iterative_job]") {
  if (no_gpu()) return;
  std::mt19937_64 random(seed());
  threaded_pool workers(2);
  const std::string numbers = random_bytes(random, std::uint64_t{64} << 20);
  const input from = text_input(numbers);
  moving_centres centres(3);
  iterative_job job(centres.next<nearest_centre>(random), from, workers, {.device = device_choice::cpu_gpu});
  const auto gpus = job.report().parts.size();
  CHECK(gpus == 1);  // no device starts before the first step
  std::uint64_t most = 0;
  for (const double share : {0.5, 0.25, 0.5, 0.75, 0.5, 1.0}) {
    job.share_by_hand(share);
    check_step(job, centres.next<nearest_centre>(random), from);
    if (job.report().parts.size() > 2) return;  // several GPUs also move parts among themselves
    most = std::max(most, static_cast<std::uint64_t>(share * static_cast<double>(numbers.size())));
    CHECK(job.report().parts[1].moved_bytes <= most + (1 << 17));
    CHECK(job.report().parts[1].moved_bytes >= most - (1 << 17));
  }
}

TEST_CASE("iterative job: two loops on one GPU share the data as two GPUs do", "[gpu][iterative_job]") {
  if (no_gpu()) return;
  std::mt19937_64 random(seed());
  threaded_pool workers(2);
  const input from = text_input(random_bytes(random, 5'000'000));
  moving_centres centres(6);
  scheduler::iteration_parts<nearest_centre> parts;
  parts.find_devices = [](auto&) {
    const int index = gpu::discover().devices.front().index;
    const scheduler::resident_device<nearest_centre> one{"gpu", [=](const nearest_centre& task) {
                                                           return gpu::make_resident(task, chunk{}, index);
                                                         }};
    return std::vector{one, one, one};
  };
  parts.start_at_once = true;
  parts.make_pool = [](const nearest_centre& with, worker_pool& on) {
    return std::make_unique<cpu::cpu_backend<nearest_centre>>(with, on);
  };
  scheduler::iteration<nearest_centre> steps(centres.next<nearest_centre>(random), from, std::move(parts),
                                             workers, {});
  for (const double share : {0.9, 0.3, 0.6, 1.0, 0.1, 0.5}) {
    steps.share_by_hand(share);
    for (int step = 0; step < 2; ++step) {
      const auto task = centres.next<nearest_centre>(random);
      sequential here;
      require_same(make_result(task, steps.step(task), here),
                   run(task, from, here, {.device = device_choice::cpu}));
    }
  }
}

#endif

}  // namespace duomap::test::facade_iterative_job_test
