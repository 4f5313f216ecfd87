// Tests that the top-k engine keeps the contract, at its limits too, against the CPU backend.
#include "core/error.hpp"
#include "core/input/input.hpp"
#include "cpu/cpu_backend.hpp"
#include "cpu/tbb_pool.hpp"
#include "gpu/device/device.hpp"
#include "gpu/engines/can_run.hpp"
#include "gpu/engines/top_k/tuning.hpp"
#include "gpu/options.hpp"
#include "scheduler/run.hpp"
#include "tests/conformance/backend_contract.hpp"
#include "tests/gpu/engines/top_k/top_tasks.hpp"
#include "tests/support/no_gpu.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace duomap::test::gpu_engines_top_k_engine_test {
namespace {

// A candidate takes 24 bytes: a scored row without a key.
static_assert(gpu::choose_sorted_by_warp(24) == 128);
static_assert(gpu::choose_sorted_by_block(24) == 1024);
static_assert(gpu::choose_sorted_by_warp(16) == 256);
static_assert(gpu::choose_sorted_by_warp(gpu::most_top_value_bytes + 8) == 2);
static_assert(gpu::choose_sorted_by_block(gpu::most_top_value_bytes + 8) == 16);
static_assert(gpu::first_candidates(1, 3, 1000, 384) == 1 << 20);
static_assert(gpu::first_candidates(4, 100'000, 1000, 128) == 1 << 21);
static_assert(gpu::first_candidates(0, 3, 1, 128) == 1 << 16);
static_assert(gpu::first_candidates(~0ull, ~0ull, 1000, 128) == std::uint64_t{1} << 40);
static_assert(gpu::candidates_before_bounds(100, 10, 1 << 22) == 1 << 16);
static_assert(gpu::candidates_before_bounds(1000, 10, 1 << 22) == 160'000);
static_assert(gpu::candidates_before_bounds(100, 10, 1 << 10) == 1 << 10);
static_assert(gpu::candidates_before_bounds(~0ull, ~0ull, 1 << 22) == 1 << 22);
static_assert(gpu::candidates_before_bounds(0, 10, 1 << 22) == 1 << 22);
static_assert(gpu::candidates_before_bounds(10, 0, 1 << 22) == 1 << 22);

}  // namespace
}  // namespace duomap::test::gpu_engines_top_k_engine_test

#if DUOMAP_HAS_CUDA

namespace duomap::test::gpu_engines_top_k_engine_test {
namespace {

template <class Task>
std::vector<std::unique_ptr<backend<Task>>> top_on_gpu(const Task& task,
                                                       const gpu::backend_options& options = {}) {
  return gpu::make_backends(task, {gpu::discover().devices.front().index}, options);
}

constexpr auto top_backends = []<class Task>(const Task& task,
                                             worker_pool&) -> std::unique_ptr<backend<Task>> {
  return std::move(top_on_gpu(task).front());
};

template <class Task>
auto best_of(const Task& task, const input& from, const std::vector<std::unique_ptr<backend<Task>>>& on,
             worker_pool& pool) {
  run_report report;
  return answer_of<Task>(scheduler::run(task, from, on, pool, nullptr, report));
}

/// Checks that a GPU alone and a GPU with the CPU find the CPU's rows.
template <class Task>
void check_same_best(const Task& task, const std::string& bytes, const gpu::backend_options& options = {}) {
  cpu::tbb_pool pool(3);
  const input from = text_input(bytes);
  std::vector<std::unique_ptr<backend<Task>>> both;
  both.push_back(std::make_unique<cpu::cpu_backend<Task>>(task, pool));
  const auto expected = best_of(task, from, both, pool);
  CHECK(difference(best_of(task, from, top_on_gpu(task, options), pool), expected) == "");
  both.front() = std::make_unique<cpu::cpu_backend<Task>>(task, pool);
  for (auto& one : top_on_gpu(task, options)) both.push_back(std::move(one));
  CHECK(difference(best_of(task, from, both, pool), expected) == "");
}

const std::vector<std::pair<const char*, gpu::backend_options>> top_options = {
    {"defaults", {}},
    {"a list that grows", {.first_keys = 1}},
    {"a list that is handed to the host", {.table_bytes = 1 << 18, .first_keys = 1}},
    {"few warps", {.first_keys = 1, .blocks_per_multiprocessor = 1}},
};

template <class MakeNumber>
std::string numbers(std::uint64_t count, const MakeNumber& make_number) {
  std::string bytes(count * sizeof(std::int64_t), '\0');
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto number = static_cast<std::int64_t>(make_number(i));
    std::memcpy(bytes.data() + i * sizeof number, &number, sizeof number);
  }
  return bytes;
}

}  // namespace

TEST_CASE("GPU top k: the contract", "[gpu]") {
  if (!no_gpu()) check_top_k(top_backends);
}

TEST_CASE("GPU top k: words with none, one or several emits under many keys", "[gpu]") {
  if (no_gpu()) return;
  auto random = seeded();
  check_answers(longest_words{}, boundary_texts(random), top_backends);
  check_answers(longest_words{.k = 1000, .keys = 1}, boundary_texts(random), top_backends);
  const std::string text = random_words(random, 3'000'000, 40'000);
  for (const auto& [what, options] : top_options) {
    INFO(what);
    check_same_best(longest_words{}, text, options);
    check_same_best(longest_words{.k = 20'000, .keys = 3}, text, options);
    check_same_best(longest_words{.k = 1, .keys = 100'000}, text, options);
  }
}

TEST_CASE("GPU top k: numbers in every order, and all of them the same", "[gpu]") {
  if (no_gpu()) return;
  auto random = seeded();
  constexpr std::uint64_t count = 150'000;
  const std::vector<std::pair<const char*, std::string>> inputs = {
      {"ascending", numbers(count, [](std::uint64_t i) { return i; })},
      {"descending", numbers(count, [](std::uint64_t i) { return count - i; })},
      {"random", numbers(count, [&](std::uint64_t) { return random(); })},
      {"few different", numbers(count, [&](std::uint64_t) { return random() % 5; })},
      {"the same", numbers(count, [](std::uint64_t) { return 7; })},
      {"one", numbers(1, [](std::uint64_t) { return 1; })},
  };
  for (const auto& [order, bytes] : inputs) {
    for (const auto& [what, options] : top_options) {
      for (const std::uint64_t k : {0u, 1u, 3u, 100u, 5000u, 100'000u}) {
        INFO(order << ", " << what << ", k = " << k);
        check_same_best(largest_rows{.k = k}, bytes, options);
        check_same_best(largest_rows_by_class{.k = k}, bytes, options);
      }
    }
  }
}

TEST_CASE("GPU top k: several chunks", "[gpu]") {
  if (no_gpu()) return;
  auto random = seeded();
  const std::string bytes = numbers(25'000'000, [&](std::uint64_t) { return random(); });
  check_same_best(largest_rows{.k = 10}, bytes);
  check_same_best(largest_rows{.k = 100'000}, bytes);
  check_same_best(largest_rows_by_class{.k = 300}, bytes, {.first_keys = 5000});
}

TEST_CASE("GPU top k: a key out of range is an error", "[gpu][sanitize]") {
  if (no_gpu()) return;
  cpu::tbb_pool pool(2);
  const top_keys_out_of_range task;
  CHECK_NOTHROW(best_of(task, index_input(10'000), top_on_gpu(task), pool));
  CHECK_THROWS_WITH(best_of(task, index_input(10'001), top_on_gpu(task), pool), contains("key_count"));
}

TEST_CASE("GPU top k: no memory for one warp's candidates is an error, not a wrong answer", "[gpu]") {
  if (no_gpu()) return;
  cpu::tbb_pool pool(2);
  auto random = seeded();
  const std::string bytes = numbers(1000, [&](std::uint64_t) { return random(); });
  CHECK_THROWS_AS(
      best_of(largest_rows{}, text_input(bytes), top_on_gpu(largest_rows{}, {.table_bytes = 1}), pool),
      out_of_memory);
}

}  // namespace duomap::test::gpu_engines_top_k_engine_test

#endif
