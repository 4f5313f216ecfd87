// Tests that a GPU copies each long collected text to the host only once, and that several threads copy
// completely.
#include "core/input/input.hpp"
#include "core/memory_budget.hpp"
#include "cpu/cpu_backend.hpp"
#include "cpu/tbb_pool.hpp"
#include "gpu/device/device.hpp"
#include "gpu/make_backend.hpp"
#include "gpu/options.hpp"
#include "scheduler/run.hpp"
#include "tests/conformance/backend_contract.hpp"
#include "tests/gpu/engines/sort/sort_tasks.hpp"
#include "tests/support/no_gpu.hpp"

#include <cstdint>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

#if DUOMAP_HAS_CUDA

namespace duomap::test::gpu_engines_sort_distinct_texts_test {
namespace {

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;

template <class Task>
auto on_gpu(const Task& task, const input& from, worker_pool& pool, const gpu::backend_options& options) {
  std::vector<std::unique_ptr<backend<Task>>> one;
  one.push_back(
      std::move(gpu::make_backends(task, {gpu::discover().devices.front().index}, options).front()));
  run_report report;
  return scheduler::run(task, from, one, pool, nullptr, report);
}

/// `count` random lines of 1 to 100 bytes, drawn from `distinct` different lines.
std::string repeated_lines(std::mt19937_64& random, std::uint64_t count, std::uint64_t distinct) {
  std::string text;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t which = random() % distinct;
    text += std::string(which % 90, static_cast<char>('a' + which % 7)) + std::to_string(which) + "\n";
  }
  return text;
}

/// Checks that the rows equal the CPU's. Returns the number of different places of their texts.
std::uint64_t check_lines(const std::string& text, bool grouped, const gpu::backend_options& options) {
  cpu::tbb_pool pool(4);
  const input from = text_input(text);
  const lines_by_head task{.grouped = grouped};
  std::vector<std::unique_ptr<backend<lines_by_head>>> cpu;
  cpu.push_back(std::make_unique<cpu::cpu_backend<lines_by_head>>(task, pool));
  run_report report;
  const auto expected = answer_of<lines_by_head>(scheduler::run(task, from, cpu, pool, nullptr, report));
  const auto found = on_gpu(task, from, pool, options);
  CHECK(difference(answer_of<lines_by_head>(found), expected) == "");
  std::set<const char*> places;
  for (const auto& run : found.runs()) {
    for (const auto& entry : run.entries) {
      places.insert(entry.key.stored_bytes());
      places.insert(entry.value.stored_bytes());
    }
  }
  places.erase(nullptr);
  return places.size();
}

std::uint64_t distinct_long_lines(const std::string& text) {
  std::set<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    const std::string line = text.substr(begin, end - begin);
    if (line.size() % 7 != 3 && line.size() > compact_key::max_inline) lines.insert(line);
    begin = end + 1;
  }
  return lines.size();
}

TEST_CASE("a GPU's collected texts: each is on the host once", "[gpu]") {
  if (no_gpu()) return;
  auto random = std::mt19937_64(seed());
  INFO("seed " << seed());
  for (const std::uint64_t distinct : {1u, 20u, 5000u, 1'000'000u}) {
    CAPTURE(distinct);
    const std::string text = repeated_lines(random, 200'000, distinct);
    CHECK(check_lines(text, false, {}) == distinct_long_lines(text));
    check_lines(text, true, {});
  }
}

TEST_CASE("a GPU's collected texts: a few lines", "[gpu][sanitize]") {
  if (no_gpu()) return;
  auto random = std::mt19937_64(seed());
  const std::string text = repeated_lines(random, 3000, 300) + std::string(100'000, 'x') + "\n";
  CHECK(check_lines(text, false, {}) == distinct_long_lines(text));
  check_lines(text, false, {.hash_mask = 0});
}

TEST_CASE("a GPU's collected texts: tables that fill up and hashes that collide", "[gpu]") {
  if (no_gpu()) return;
  auto random = std::mt19937_64(seed());
  INFO("seed " << seed());
  const std::string text = repeated_lines(random, 400'000, 50'000);
  const auto distinct = distinct_long_lines(text);
  // With this memory, pieces have some hundred kilobytes, and tables of texts must begin anew.
  for (const std::uint64_t bytes : {2 * mebibyte, 3 * mebibyte + 4099})
    CHECK(check_lines(text, false, {.table_bytes = bytes}) > distinct);
  const std::string few = repeated_lines(random, 50'000, 2000);
  for (const std::uint64_t mask : {std::uint64_t{0}, std::uint64_t{1} << 63, std::uint64_t{0xFF} << 56}) {
    CAPTURE(mask);
    CHECK(check_lines(few, false, {.hash_mask = mask}) == distinct_long_lines(few));
  }
}

TEST_CASE("a GPU's collected texts: count against the budget once", "[gpu]") {
  if (no_gpu()) return;
  // Rows of 1 MB and texts of 1 kB. Counting every emitted text would give 50 MB.
  std::string text;
  for (int i = 0; i < 50'000; ++i) text += std::string(1000, static_cast<char>('a' + i % 3)) + "\n";
  cpu::tbb_pool pool(2);
  const auto limited = [&](std::uint64_t bytes) {
    return on_gpu(lines_by_head{}, text_input(text), pool, {.memory = std::make_shared<memory_budget>(bytes)})
        .size();
  };
  CHECK(limited(4'000'000) == 100'000);
  CHECK_THROWS_AS(limited(3'000'000), memory_exceeded);
}

}  // namespace
}  // namespace duomap::test::gpu_engines_sort_distinct_texts_test

#endif
