// Tests gpu/engines/hash/map_kernel.cuh with tasks that emit at most once for each word: the two passes over
// a tile, sums beyond 32 bits, chunks beyond 4 GiB.
#include "core/input/input.hpp"
#include "cpu/cpu_backend.hpp"
#include "cpu/tbb_pool.hpp"
#include "gpu/device/device.hpp"
#include "gpu/options.hpp"
#include "scheduler/run.hpp"
#include "tests/catch.hpp"
#include "tests/gpu/engines/hash/single_emit_tasks.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/no_gpu.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#if DUOMAP_HAS_CUDA

namespace duomap::test::gpu_engines_hash_single_emit_test {
namespace {

int some_gpu() { return gpu::discover().devices.front().index; }

template <class Task>
auto sorted_rows(const Task& task, const input& from, const std::vector<std::unique_ptr<backend<Task>>>& on,
                 worker_pool& pool) {
  run_report report;
  const auto result = scheduler::run(task, from, on, pool, nullptr, report);
  std::vector<std::pair<std::string, typename Task::reduce::value_type>> rows;
  result.for_each([&](const auto& key, const auto& value) {
    rows.emplace_back(std::string(key_bytes(key).text()), value);
  });
  std::sort(rows.begin(), rows.end());
  return rows;
}

template <class Task>
void check_as_cpu(const Task& task, const std::string& text, const gpu::backend_options& options = {}) {
  cpu::tbb_pool pool(4);
  std::vector<std::unique_ptr<backend<Task>>> cpu_only;
  cpu_only.push_back(std::make_unique<cpu::cpu_backend<Task>>(task, pool));
  const input from = text_input(text);
  CHECK((sorted_rows(task, from, gpu::make_backends(task, {some_gpu()}, options), pool) ==
         sorted_rows(task, from, cpu_only, pool)));
}

const std::vector<std::pair<const char*, gpu::backend_options>> shortages = {
    {"defaults", {}},
    {"a table that grows", {.first_keys = 1}},
    {"four slots in a block's table", {.block_slots = 4}},
    {"two tables of four slots in a block", {.block_tables = 2, .block_slots = 4}},
    {"no table in a block", {.block_tables = 0}},
    {"a table that is handed to the host", {.table_bytes = std::uint64_t{4} << 20}},
    {"hashes that collide", {.block_slots = 64, .hash_mask = std::uint64_t{0xF} << 60}},
};

std::string one_byte_word(std::mt19937_64& random) {
  return std::string(1, static_cast<char>('a' + random() % 26)) + ' ';
}

/// Counts the words of an ASCII text without duomap.
std::map<std::string, std::uint64_t> count_by_map(const std::string& text) {
  std::map<std::string, std::uint64_t> counts;
  std::string word;
  for (const char c : text + " ") {
    if (c != ' ') {
      word += c;
    } else if (!word.empty()) {
      ++counts[word];
      word.clear();
    }
  }
  return counts;
}

}  // namespace

TEST_CASE("GPU words: tasks that emit at most once, under every shortage", "[gpu]") {
  if (no_gpu()) return;
  auto random = std::mt19937_64(seed());
  for (const std::uint64_t vocabulary : {20u, 3000u, 100'000u}) {
    const std::string text = random_words(random, 1'500'000 + random() % 5000, vocabulary);
    for (const auto& [what, options] : shortages) {
      CAPTURE(vocabulary, what);
      check_as_cpu(promised_word_counts{}, text, options);
      check_as_cpu(chosen_heads<3>{}, text, options);
      check_as_cpu(chosen_heads<11>{}, text, options);
      check_as_cpu(word_hearts{}, text, options);
      check_as_cpu(made_words{}, text, options);
    }
  }
}

// A warp hashes keys of 512 bytes and more in stripes, and folds them together.
TEST_CASE("GPU words: long keys among short ones, new and again, under every shortage", "[gpu]") {
  if (no_gpu()) return;
  auto random = std::mt19937_64(seed());
  std::string text;
  for (unsigned i = 0; i < 600; ++i) {
    const std::uint64_t sizes[] = {500, 510, 511, 512, 513, 519, 520, 521, 767, 768, 1500, 4096, 40'000};
    std::string word(sizes[random() % std::size(sizes)], static_cast<char>('a' + random() % 3));
    // In half of the words, one random byte differs.
    if (random() % 2 == 0) word[random() % word.size()] = 'z';
    text += word + ' ' + random_words(random, random() % 300, 50) + ' ';
  }
  for (const auto& [what, options] : shortages) {
    INFO(what);
    check_as_cpu(promised_word_counts{}, text, options);
    check_as_cpu(word_counts{}, text, options);
    check_as_cpu(word_hearts{}, text, options);
    check_as_cpu(made_words{}, text, options);
    check_as_cpu(heavy_words<sum<std::int64_t>>{}, text, options);
  }
}

TEST_CASE("GPU words: sums that wrap the cells of a block's table", "[gpu]") {
  if (no_gpu()) return;
  auto random = std::mt19937_64(seed());
  // Few different words, so that each 32-bit cell wraps around many times.
  const std::string text = random_words(random, 3'000'000, 100);
  for (const auto& [what, options] : shortages) {
    INFO(what);
    check_as_cpu(heavy_words<sum<std::int64_t>>{}, text, options);
    check_as_cpu(heavy_words<sum<std::uint64_t>>{}, text, options);
    check_as_cpu(heavy_words<sum<std::int32_t>>{}, text, options);
  }
}

TEST_CASE("GPU words: words of one byte, and ends of the text at every place of a tile", "[gpu]") {
  if (no_gpu()) return;
  auto random = std::mt19937_64(seed());
  std::string ones;
  for (unsigned i = 0; i < 300'000; ++i) ones += one_byte_word(random);
  for (const auto& [what, options] : shortages) {
    INFO(what);
    check_as_cpu(promised_word_counts{}, ones, options);
  }
  for (std::uint64_t size = 1000; size < 1100; ++size) {
    CAPTURE(size);
    check_as_cpu(promised_word_counts{}, ones.substr(0, size));
    check_as_cpu(promised_word_counts{}, std::string(size, 'w'));
    check_as_cpu(promised_word_counts{}, std::string(size, 'w') + " end");
    check_as_cpu(promised_word_counts{}, std::string(size, ' ') + "end");
  }
}

TEST_CASE("GPU words: more than 2^31 words in one chunk of more than 4 GiB", "[gpu][slow]") {
  if (no_gpu()) return;
  const std::uint64_t times = 282;
  std::string pattern;
  auto random = std::mt19937_64(seed());
  while (pattern.size() < (std::uint64_t{16} << 20)) {
    for (unsigned i = 0; i < 500; ++i) pattern += one_byte_word(random);
    pattern += "considerably" + std::to_string(random() % 100) + " ";
  }
  std::string tail;
  for (unsigned i = 0; i < 20'000; ++i) {
    // Behind 4 GiB come long words that occurred before, and new ones.
    tail += "considerably" + std::to_string(i % 200) + " ";
    tail += "behindfourgibibytes" + std::to_string(i % 300) + " ";
  }
  if (gpu::discover().devices.front().memory_bytes < pattern.size() * times * 2) {
    WARN("skipped, the GPU has too little memory for a chunk of 4 GiB");
    return;
  }
  std::map<std::string, std::uint64_t> expected = count_by_map(pattern);
  std::uint64_t words = 0;
  for (auto& [word, count] : expected) words += count *= times;
  for (const auto& [word, count] : count_by_map(tail)) expected[word] += count;
  CHECK(words > std::uint64_t{1} << 31);
  CHECK(pattern.size() * times > std::uint64_t{1} << 32);
  const counted_words found = count_in_one_chunk(pattern, times, tail, some_gpu());
  CHECK((found == counted_words(expected.begin(), expected.end())));
}

}  // namespace duomap::test::gpu_engines_hash_single_emit_test

#endif
