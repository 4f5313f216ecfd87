// Tests the dense engine against the CPU backend.
#include "core/error.hpp"
#include "cpu/cpu_backend.hpp"
#include "cpu/tbb_pool.hpp"
#include "gpu/device/device.hpp"
#include "gpu/make_backend.hpp"
#include "gpu/options.hpp"
#include "scheduler/run.hpp"
#include "tests/conformance/backend_contract.hpp"
#include "tests/conformance/backend_life.hpp"
#include "tests/conformance/number_rows.hpp"
#include "tests/gpu/support/dense_tasks.hpp"
#include "tests/support/no_gpu.hpp"

#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#if DUOMAP_HAS_CUDA

namespace duomap::test::gpu_engines_dense_engine_test {
namespace {

int first_gpu() { return gpu::discover().devices.front().index; }

constexpr auto dense_backends = []<class Task>(const Task& task,
                                               worker_pool&) -> std::unique_ptr<backend<Task>> {
  return std::move(gpu::make_backends(task, {first_gpu()}, {}).front());
};

/// Forces a path for many keys, even for few keys.
auto on_path(gpu::dense_path path) {
  return [path]<class Task>(const Task& task, worker_pool&) -> std::unique_ptr<backend<Task>> {
    return std::move(gpu::make_backends(task, {first_gpu()}, {.dense = path}).front());
  };
}

/// Half of a run's backends work on the CPU.
constexpr auto mixed_backends = []<class Task>(const Task& task,
                                               worker_pool& pool) -> std::unique_ptr<backend<Task>> {
  static std::atomic<unsigned> turn = 0;
  if (turn++ % 2 == 0) return std::make_unique<cpu::cpu_backend<Task>>(task, pool);
  return dense_backends(task, pool);
};

/// Pairs whose first numbers are Zipf distributed, or all equal if there is one rank.
std::string skewed_pairs(std::uint64_t count, std::uint64_t ranks, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::uint32_t> numbers;
  for (std::uint64_t i = 0; i < count; ++i) {
    numbers.push_back(static_cast<std::uint32_t>(zipf(random, ranks)));
    numbers.push_back(static_cast<std::uint32_t>(random()));
  }
  return bytes_of(numbers);
}

template <class Task, class Make>
auto answer_with(const Task& task, const std::string& rows, const Make& make) {
  const pool_set workers({4});
  return answer_of<Task>(run_shaped(task, make_input(sample{"rows", {rows}}), workers, make, run_shape{}));
}

constexpr auto cpu_only = []<class Task>(const Task& task,
                                         worker_pool& pool) -> std::unique_ptr<backend<Task>> {
  return std::make_unique<cpu::cpu_backend<Task>>(task, pool);
};

template <class Task>
void check_like_cpu(const Task& task, const std::string& rows) {
  CHECK(difference(answer_with(task, rows, dense_backends), answer_with(task, rows, cpu_only)) == "");
}

// From few keys, of which each thread has its own copy, to more keys than a block has room for.
constexpr std::uint64_t key_counts[] = {1, 2, 31, 32, 33, 1000, 4096, 4097, 65'536, 1'000'000};

template <class Reduce>
void check_key_counts() {
  const std::string few = random_numbers(2 * 1021, seed());
  const std::string many = random_numbers(2 * 1'200'001, seed() + 1);
  const std::string one = skewed_pairs(200'000, 1, seed() + 2);
  const std::string skewed = skewed_pairs(300'000, 5000, seed() + 3);
  for (const std::uint64_t keys : key_counts) {
    CAPTURE(keys);
    const pairs_by_key<Reduce> task{.keys = keys};
    check_like_cpu(task, few);
    check_like_cpu(task, many);
    check_like_cpu(task, one);
    check_like_cpu(task, skewed);
  }
}

constexpr gpu::dense_path many_key_paths[] = {gpu::dense_path::device_cells, gpu::dense_path::ranges,
                                              gpu::dense_path::partitions};

/// Whole tiles, a part of a tile, one row, no row; keys that are random, skewed, all equal, and sorted.
template <class Reduce>
void check_paths() {
  std::vector<std::uint32_t> sorted;
  for (std::uint32_t i = 0; i < 400'000; ++i) sorted.insert(sorted.end(), {i / 3, i});
  const std::string samples[] = {random_numbers(2 * 300'001, seed()),
                                 random_numbers(2 * 16'384, seed() + 1),
                                 random_numbers(2, seed() + 2),
                                 skewed_pairs(200'000, 5000, seed() + 3),
                                 skewed_pairs(100'000, 1, seed() + 4),
                                 bytes_of(sorted),
                                 ""};
  for (const std::uint64_t keys : {9U, 131'072U, 1'000'003U}) {
    const pairs_by_key<Reduce> task{.keys = keys};
    for (const std::string& rows : samples) {
      // Comparing a million keys is slow, so they get one sample only.
      if (keys > 1'000'000 && &rows != samples) break;
      const auto expected = answer_with(task, rows, cpu_only);
      for (const gpu::dense_path path : many_key_paths) {
        CAPTURE(keys, rows.size(), static_cast<int>(path));
        CHECK(difference(answer_with(task, rows, on_path(path)), expected) == "");
      }
    }
  }
}

}  // namespace

TEST_CASE("GPU dense engine: the contract, dense keys", "[gpu]") {
  if (no_gpu()) return;
  check_dense_keys(dense_backends);
  check_dense_keys(mixed_backends);
}

TEST_CASE("GPU dense engine: the contract on every path for many keys", "[gpu]") {
  if (no_gpu()) return;
  for (const gpu::dense_path path : many_key_paths) {
    check_dense_keys(on_path(path));
    check_dense_key_range(on_path(path));
  }
}

TEST_CASE("GPU dense engine: many keys, every way to fold, on every path", "[gpu]") {
  if (no_gpu()) return;
  check_paths<sum<std::uint32_t>>();
  check_paths<sum<std::int64_t>>();
  check_paths<sum<std::uint8_t>>();
  check_paths<minimum<std::int32_t>>();
  check_paths<either>();
  check_paths<exclusive_or>();
  check_paths<argmin<std::int32_t>>();
  check_paths<best_ranked>();
  check_paths<add_tallies>();
  check_paths<add_weighted>();
}

TEST_CASE("GPU dense engine: the contract, no key and slots", "[gpu]") {
  if (no_gpu()) return;
  check_no_key(dense_backends);
  check_slots(dense_backends);
  check_no_key(mixed_backends);
  check_slots(mixed_backends);
}

TEST_CASE("GPU dense engine: the contract, input order", "[gpu]") {
  if (no_gpu()) return;
  auto random = seeded();
  const auto rows = boundary_rows<std::uint64_t>(random, 4);
  const auto texts = boundary_texts(random);
  const auto check_with = [&](const auto& make) {
    check_answers(matrix_products{}, rows, make);
    check_answers(matrix_product{}, rows, make);
    check_answers(line_span{}, texts, make);
    check_answers(ordered_words{}, texts, make);
  };
  check_with(dense_backends);
  check_with(mixed_backends);
}

TEST_CASE("GPU dense engine: a dense key out of range is the CPU's error", "[gpu][sanitize]") {
  if (no_gpu()) return;
  check_dense_key_range(dense_backends);
  const pool_set workers({2});
  CHECK_THROWS_WITH(run_shaped(overflowing_keys{}, index_input(11), workers, dense_backends, run_shape{}),
                    contains("emitted a dense key that is too large"));
}

TEST_CASE("GPU dense engine: no keys at all", "[gpu][sanitize]") {
  if (no_gpu()) return;
  const pairs_by_key<sum<std::int64_t>> task{.keys = 0};
  check_like_cpu(task, "");
  const std::string pairs = random_numbers(2, seed());
  CHECK_THROWS_AS(answer_with(task, pairs, dense_backends), map_failed);
}

TEST_CASE("GPU dense engine: sums of integers, any number of keys", "[gpu]") {
  if (no_gpu()) return;
  check_key_counts<sum<std::uint32_t>>();
  check_key_counts<sum<std::int64_t>>();
  check_key_counts<sum<std::uint8_t>>();
}

TEST_CASE("GPU dense engine: values that are swapped, any number of keys", "[gpu]") {
  if (no_gpu()) return;
  check_key_counts<minimum<std::int32_t>>();
  check_key_counts<maximum<std::int64_t>>();
  check_key_counts<exclusive_or>();
  check_key_counts<either>();
}

TEST_CASE("GPU dense engine: values that are locked, any number of keys", "[gpu]") {
  if (no_gpu()) return;
  check_key_counts<argmin<std::int32_t>>();
  check_key_counts<best_ranked>();
}

TEST_CASE("GPU dense engine: field-wise sums, any number of keys", "[gpu]") {
  if (no_gpu()) return;
  check_key_counts<add_tallies>();
  check_key_counts<add_weighted>();
}

TEST_CASE("GPU dense engine: no key, rows in units of four", "[gpu]") {
  if (no_gpu()) return;
  for (const std::uint64_t rows : {0u, 1u, 3u, 4u, 5u, 4095u, 4096u, 4097u, 540'671u, 2'000'003u}) {
    CAPTURE(rows);
    const std::string numbers = random_numbers(3 * rows, seed() + rows);
    check_like_cpu(triples_together<sum<std::int64_t>>{}, numbers);
    check_like_cpu(triples_together<argmin<std::int32_t>>{}, numbers);
    check_like_cpu(triples_together<add_tallies>{}, numbers);
  }
}

TEST_CASE("GPU dense engine: sums of floating point keep the sign of zero", "[gpu][sanitize]") {
  if (no_gpu()) return;
  const auto check_bits = [&](const std::vector<float>& numbers) {
    const pool_set workers({2});
    const input from = make_input(sample{"floats", {bytes_of(numbers)}});
    const auto found = run_shaped(float_sums{}, from, workers, dense_backends, run_shape{});
    const auto expected = run_shaped(float_sums{}, from, workers, cpu_only, run_shape{});
    for (std::uint64_t key = 0; key < 3; ++key) {
      REQUIRE(found.contains(key) == expected.contains(key));
      if (!expected.contains(key)) continue;
      const float a = found[key];
      const float b = expected[key];
      CHECK(std::memcmp(&a, &b, sizeof a) == 0);
    }
  };
  check_bits({});
  check_bits({-0.0f});
  check_bits({-0.0f, 0.0f});
  check_bits({-0.0f, -0.0f, -0.0f, 1.0f});
  check_bits(std::vector<float>(100'000, -0.0f));
  check_bits(std::vector<float>(100'000, 0.5f));
}

TEST_CASE("GPU dense engine: texts, with and without order", "[gpu]") {
  if (no_gpu()) return;
  auto random = seeded();
  const auto texts = large_texts(random);
  check_answers(word_sizes{}, texts, dense_backends, product_shapes);
  check_answers(ordered_words{}, texts, dense_backends, product_shapes);
  check_answers(line_span{}, texts, dense_backends, product_shapes);
  const std::vector<sample> one = {{"words", {random_words(random, 300'000, 4000)}}};
  for (const std::uint64_t keys : {1u, 64u, 700u, 40'000u}) {
    CAPTURE(keys);
    check_answers(ordered_words{.keys = keys}, one, mixed_backends, product_shapes);
  }
}

}  // namespace duomap::test::gpu_engines_dense_engine_test

#endif
