// Tests that the sort engine keeps the contract at its limits, against the CPU backend.
#include "core/error.hpp"
#include "core/input/input.hpp"
#include "cpu/cpu_backend.hpp"
#include "cpu/tbb_pool.hpp"
#include "gpu/device/device.hpp"
#include "gpu/make_backend.hpp"
#include "gpu/options.hpp"
#include "scheduler/run.hpp"
#include "tests/conformance/backend_contract.hpp"
#include "tests/gpu/engines/sort/sort_tasks.hpp"
#include "tests/gpu/support/keyed_tasks.hpp"
#include "tests/support/no_gpu.hpp"

#include <cstdint>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#if DUOMAP_HAS_CUDA

namespace duomap::test::gpu_engines_sort_engine_test {
namespace {

/// Makes backends with the sort engine.
struct sort_backends {
  gpu::backend_options options;

  explicit sort_backends(gpu::backend_options with = {}) : options(with) {
    options.engine = engine_kind::sort;
  }

  template <class Task>
  std::unique_ptr<backend<Task>> operator()(const Task& task, worker_pool& /*pool*/) const {
    return std::move(gpu::make_backends(task, {gpu::discover().devices.front().index}, options).front());
  }
};

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;

/// Checks that a GPU alone and a GPU with the CPU give the CPU's answer, row by row.
template <class Task>
void check_sorted(const Task& task, const input& from, const gpu::backend_options& options = {}) {
  using backends = std::vector<std::unique_ptr<backend<Task>>>;
  cpu::tbb_pool pool(4);
  const auto answer = [&](bool on_cpu, bool on_gpu) {
    backends all;
    if (on_cpu) all.push_back(std::make_unique<cpu::cpu_backend<Task>>(task, pool));
    if (on_gpu) all.push_back(sort_backends(options)(task, pool));
    run_report report;
    return answer_of<Task>(scheduler::run(task, from, all, pool, nullptr, report));
  };
  const auto expected = answer(true, false);
  CHECK(difference(answer(false, true), expected) == "");
  CHECK(difference(answer(true, true), expected) == "");
}

/// Checks tasks of every kind on one text.
void check_text_tasks(const std::string& text, const gpu::backend_options& options = {}) {
  const input from = text_input(text);
  check_sorted(word_counts{}, from, options);
  check_sorted(line_chains{}, from, options);
  check_sorted(line_spans{}, from, options);
  check_sorted(lines_by_head{}, from, options);
  check_sorted(local_bytes{.grouped = true}, from, options);
  check_sorted(first_places{}, from, options);
}

/// Lines that start with one of `keys` words, each line different.
std::string keyed_lines(std::uint64_t lines, std::uint64_t keys, std::uint64_t seed,
                        const std::string& prefix) {
  std::mt19937_64 random(seed);
  std::string text;
  for (std::uint64_t i = 0; i < lines; ++i) {
    text += prefix + std::to_string(random() % keys) + " line " + std::to_string(i) + "\n";
  }
  return text;
}

}  // namespace

TEST_CASE("sort engine: collects in input order", "[gpu]") {
  if (no_gpu()) return;
  check_collect(sort_backends());
  auto random = seeded();
  const auto texts = boundary_texts(random);
  check_answers(local_bytes{}, texts, sort_backends());
  check_answers(local_bytes{.grouped = true}, texts, sort_backends());
}

TEST_CASE("sort engine: reductions that do not commute", "[gpu]") {
  if (no_gpu()) return;
  auto random = seeded();
  const auto texts = boundary_texts(random);
  check_answers(line_spans{}, texts, sort_backends());
  check_answers(first_places{}, texts, sort_backends());
  check_answers(word_chains{}, texts, sort_backends());
  check_answers(line_chains{}, texts, sort_backends());
  check_answers(first_lines{}, texts, sort_backends());
  const auto rows = boundary_rows<std::uint64_t>(random, 4);
  check_answers(sorted<matrix_products>{}, rows, sort_backends());
  check_answers(sorted<matrix_product>{}, rows, sort_backends());
}

TEST_CASE("sort engine: reductions that commute, hashed keys", "[gpu]") {
  if (no_gpu()) return;
  check_word_counts(sort_backends());
  auto random = seeded();
  const auto texts = boundary_texts(random);
  // Without key_lengths: its map has 100,000 bytes of stack, which is 27 GB for all threads of a large GPU.
  check_answers(reversed_endings{}, texts, sort_backends());
  check_answers(line_heads{}, texts, sort_backends());
  check_answers(cells_and_lines{}, texts, sort_backends());
  check_answers(nul_keys{}, boundary_ranges(), sort_backends());
  check_answers(word_heads<1>{}, texts, sort_backends());
  check_answers(word_heads<15>{}, texts, sort_backends());
  check_answers(word_heads<65>{}, texts, sort_backends());
  check_answers(field_sums{}, texts, sort_backends());
  check_answers(best_words{}, texts, sort_backends());
  check_answers(number_parity{}, boundary_rows<std::uint64_t>(random, 2, 24), sort_backends());
}

TEST_CASE("sort engine: dense keys and no key", "[gpu]") {
  if (no_gpu()) return;
  auto random = seeded();
  check_answers(sorted<byte_histogram>{}, boundary_rows<unsigned char>(random, 1), sort_backends());
  check_answers(sorted<cell_moments>{}, boundary_rows<std::int32_t>(random, 3, 8), sort_backends());
  check_answers(sorted<seen_values>{}, boundary_rows<std::uint16_t>(random, 2), sort_backends());
  check_answers(sorted<pair_distances>{}, boundary_ranges(128 * 129 / 2), sort_backends());
  const auto rows = boundary_rows<std::int64_t>(random, 1);
  check_answers(sorted<overall<sum<std::uint64_t>>>{}, rows, sort_backends());
  check_answers(sorted<overall<minimum<std::int64_t>>>{}, rows, sort_backends());
}

TEST_CASE("sort engine: texts around the product's grains and blocks", "[gpu]") {
  if (no_gpu()) return;
  auto random = seeded();
  const auto texts = large_texts(random);
  check_answers(word_counts{.lower_case = true}, texts, sort_backends(), product_shapes);
  check_answers(line_spans{}, texts, sort_backends(), product_shapes);
  check_answers(lines_by_head{}, texts, sort_backends(), product_shapes);
}

TEST_CASE("sort engine: no emits at all", "[gpu]") {
  if (no_gpu()) return;
  check_text_tasks("");
  check_text_tasks(" ");
  check_text_tasks(std::string(100'000, ' '));
}

TEST_CASE("sort engine: says how long its stages took", "[gpu]") {
  if (no_gpu()) return;
  const std::string text = keyed_lines(200'000, 500, seed(), "");
  cpu::tbb_pool pool(2);
  const auto figures = [&](const auto& task) {
    using task_type = std::remove_cvref_t<decltype(task)>;
    std::vector<std::unique_ptr<backend<task_type>>> one;
    one.push_back(sort_backends({.table_bytes = 64 * mebibyte})(task, pool));  // in several pieces
    run_report report;
    static_cast<void>(scheduler::run(task, text_input(text), one, pool, nullptr, report));
    return report.executors.at(0).engine;
  };
  const engine_figures sums = figures(word_counts{});
  CHECK(sums.write_seconds > 0);
  CHECK(sums.group_seconds > 0);
  CHECK(sums.reduce_seconds > 0);
  CHECK(sums.past_block_tables == 0);
  const engine_figures collected = figures(lines_by_head{});
  CHECK(collected.write_seconds > 0);
  CHECK(collected.group_seconds == 0);
}

TEST_CASE("sort engine: a small text, with and without collisions", "[gpu][sanitize]") {
  if (no_gpu()) return;
  auto random = seeded();
  const std::string text = random_words(random, 20'000, 300) + keyed_lines(300, 40, seed(), "a-long-key-of-");
  for (const std::uint64_t mask : {~std::uint64_t{0}, std::uint64_t{0}})
    check_text_tasks(text, {.hash_mask = mask});
}

TEST_CASE("sort engine: keys of 1 to 40 bytes, in every position of a tile", "[gpu]") {
  if (no_gpu()) return;
  std::string text;
  for (unsigned round = 0; round < 300; ++round) {
    for (unsigned size = 1; size <= 40; ++size) {
      std::string word(size, static_cast<char>('a' + round % 3));
      // Keys of one length that differ in one byte only.
      word[round % size] = static_cast<char>('0' + round % 7);
      text += word + (round % 2 == 0 ? " " : "\n");
    }
  }
  check_text_tasks(text);
}

TEST_CASE("sort engine: records longer than the lookahead and a tile", "[gpu]") {
  if (no_gpu()) return;
  for (const std::uint64_t size : {63u, 64u, 65u, 128u, 129u, 16383u, 16384u, 16385u, 100'000u, 1u << 20}) {
    CAPTURE(size);
    const std::string word(size, 'w');
    for (const std::uint64_t before : {0u, 1u, 16319u, 16384u}) {
      check_text_tasks(std::string(before, ' ') + word + " " + word + "x short\n" + word + "\n" + word +
                       "\n");
    }
  }
}

TEST_CASE("sort engine: few emits of a warp are kept and not mapped again", "[gpu][sanitize]") {
  if (no_gpu()) return;
  auto random = seeded();
  std::string text;
  for (unsigned i = 0; i < 400; ++i) {
    for (std::uint64_t words = random() % 4; words > 0; --words)
      text += std::string(1 + random() % 1500, static_cast<char>('a' + i % 26)) + ' ';
    text += '\n';
  }
  check_text_tasks(text);
  check_sorted(changing_emits{5, 5}, text_input(text));
  check_sorted(changing_emits{25, 25}, text_input(text));
}

TEST_CASE("sort engine: segments of every size, up to all emits", "[gpu]") {
  if (no_gpu()) return;
  // Sizes around the number of places of a thread, a warp and a block, then of many blocks.
  for (const std::uint64_t lines :
       {1u, 7u, 8u, 9u, 255u, 256u, 257u, 2047u, 2048u, 2049u, 4096u, 4097u, 10'000u, 1'000'000u}) {
    for (const std::uint64_t keys : {1u, 2u, 3u, 1000u, 1u << 30}) {
      CAPTURE(lines, keys);
      const std::string text = keyed_lines(lines, keys, seed(), "");
      check_sorted(line_chains{}, text_input(text));
    }
  }
  // One segment spans many blocks; each block also has small segments before and after it.
  std::string half;
  for (unsigned i = 0; i < 600'000; ++i) {
    half += (i % 2 == 0 ? "the" : "word" + std::to_string(i % 5000)) + " " + std::to_string(i) + "\n";
  }
  check_sorted(line_chains{}, text_input(half));
  check_sorted(sorted<matrix_product>{}, text_input(half.substr(0, half.size() / 64 * 64)));
}

TEST_CASE("sort engine: hashes that collide are told apart by bytes", "[gpu]") {
  if (no_gpu()) return;
  auto random = seeded();
  const std::string few = random_words(random, 200'000, 700) + keyed_lines(3000, 500, seed(), "collide-");
  const std::string many =
      keyed_lines(300'000, 200'000, seed(), "") + keyed_lines(100'000, 50'000, seed(), "a-prefix-of-16-b");
  for (const std::uint64_t mask :
       {std::uint64_t{0}, std::uint64_t{0xFF} << 56, std::uint64_t{1} << 63, std::uint64_t{0xFFF} << 32}) {
    CAPTURE(mask);
    check_text_tasks(few, {.hash_mask = mask});
    check_sorted(line_chains{}, text_input(many), {.hash_mask = mask});
    check_sorted(word_counts{}, text_input(many), {.hash_mask = mask});
  }
}

TEST_CASE("sort engine: a chunk in many pieces", "[gpu]") {
  if (no_gpu()) return;
  auto random = seeded();
  const std::string text =
      random_words(random, 700'000, 30'000) + keyed_lines(10'000, 3000, seed(), "long-key-of-many-");
  for (const std::uint64_t bytes : {2 * mebibyte, 3 * mebibyte + 4099}) {
    CAPTURE(bytes);
    check_text_tasks(text, {.table_bytes = bytes});
    check_text_tasks(text, {.table_bytes = bytes, .hash_mask = std::uint64_t{1} << 63});
  }
  check_sorted(sorted<matrix_product>{}, text_input(text.substr(0, 600'000)), {.table_bytes = mebibyte});
  check_sorted(sorted<byte_histogram>{}, text_input(text), {.table_bytes = mebibyte / 2 * 3});
}

TEST_CASE("sort engine: runs of many chunks, more than are kept on the device", "[gpu]") {
  if (no_gpu()) return;
  auto random = seeded();
  // The table keeps about 1,300 keys. A chunk of 1 KiB has up to 300.
  const std::vector<sample> texts = {
      {"keys that chunks share", {random_words(random, 30'000, 50)}},
      {"keys that they hardly share", {random_words(random, 30'000, 100'000)}},
      {"short and long keys",
       {keyed_lines(1500, 300, seed(), ""), keyed_lines(200, 40, seed(), "a-long-key-of-")}}};
  static constexpr run_shape small_chunks[] = {{.grain = 64, .most_grains = 16, .form = layout::addressable},
                                               {.grain = 64, .most_grains = 16, .form = layout::alternating}};
  for (const std::uint64_t mask : {~std::uint64_t{0}, std::uint64_t{1} << 63}) {
    const sort_backends few_kept({.table_bytes = mebibyte / 2, .hash_mask = mask});
    check_answers(word_counts{}, texts, few_kept, small_chunks);
    check_answers(line_spans{}, texts, few_kept, small_chunks);
    check_answers(line_chains{}, texts, few_kept, small_chunks);
  }
  check_answers(sorted<byte_histogram>{}, boundary_rows<unsigned char>(random, 1),
                sort_backends({.table_bytes = mebibyte / 2}), small_chunks);
}

TEST_CASE("sort engine: random texts", "[gpu]") {
  if (no_gpu()) return;
  auto random = seeded();
  for (unsigned round = 0; round < 4; ++round) {
    const std::uint64_t bytes = 1 + random() % 1'000'000;
    const std::uint64_t vocabulary = 1 + random() % 100'000;
    CAPTURE(round, bytes, vocabulary);
    const std::string text = random_words(random, bytes, vocabulary);
    check_text_tasks(text);
    check_sorted(word_chains{}, text_input(text));
    check_sorted(word_counts{.lower_case = true}, text_input(text));
    check_sorted(reversed_endings{}, text_input(text.substr(0, 200'000)));
  }
}

TEST_CASE("sort engine: a tile whose emits no memory can hold is an error, not a wrong answer", "[gpu]") {
  if (no_gpu()) return;
  const std::string text = "small\n" + std::string(mebibyte, 'w') + "\nlines";
  cpu::tbb_pool pool(2);
  run_report report;
  std::vector<std::unique_ptr<backend<line_spans>>> one;
  one.push_back(sort_backends({.table_bytes = mebibyte / 2})(line_spans{}, pool));
  CHECK_THROWS_AS(scheduler::run(line_spans{}, text_input(text), one, pool, nullptr, report), out_of_memory);
}

TEST_CASE("sort engine: a task that makes a mistake is found out", "[gpu]") {
  if (no_gpu()) return;
  const auto run_on_gpu = [](const auto& task, const std::string& text) {
    cpu::tbb_pool pool(2);
    run_report report;
    std::vector<std::unique_ptr<backend<std::decay_t<decltype(task)>>>> one;
    one.push_back(sort_backends()(task, pool));
    return scheduler::run(task, text_input(text), one, pool, nullptr, report).size();
  };
  const std::string text = keyed_lines(5000, 40, seed(), "words and lines of more than twenty bytes ");
  CHECK(run_on_gpu(changing_emits{2, 2}, "two words") == 4);
  CHECK_THROWS_WITH(run_on_gpu(changing_emits{2, 1}, text), contains("saw a record again"));
  CHECK_THROWS_WITH(run_on_gpu(changing_emits{1, 2}, text), contains("saw a record again"));
  CHECK(run_on_gpu(changing_bytes{}, text) == 5000);
  CHECK_THROWS_WITH(run_on_gpu(changing_bytes{20, 40}, text), contains("saw a record again"));
  CHECK_THROWS_WITH(run_on_gpu(changing_bytes{40, 20}, text), contains("saw a record again"));
  // Kept emits of the first pass are not mapped again, so an impure map does no harm there.
  const std::string few = keyed_lines(200, 40, seed(), std::string(1500, 'x'));
  if (!torture) CHECK(run_on_gpu(changing_bytes{20, 40}, few) == 200);
  CHECK(run_on_gpu(sorted<lines_of_size>{}, "a\nbb\n123456789\n") == 10);
  CHECK_THROWS_WITH(run_on_gpu(sorted<lines_of_size>{}, "a\nbb\n1234567890\n"), contains("key_count()"));
}

}  // namespace duomap::test::gpu_engines_sort_engine_test

#endif
