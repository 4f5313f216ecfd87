// Tests the aggregation paths of the hash engine. Small inputs are compared with a std::map, large ones with
// the CPU backend.
#include "core/error.hpp"
#include "core/input/input.hpp"
#include "cpu/cpu_backend.hpp"
#include "cpu/tbb_pool.hpp"
#include "gpu/device/device.hpp"
#include "gpu/engines/hash_partitioned/key_bits.hpp"
#include "gpu/make_backend.hpp"
#include "gpu/options.hpp"
#include "scheduler/run.hpp"
#include "tests/catch.hpp"
#include "tests/conformance/backend_contract.hpp"
#include "tests/gpu/engines/hash_partitioned/aggregation_tasks.hpp"
#include "tests/support/no_gpu.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#if DUOMAP_HAS_CUDA

namespace duomap::test::gpu_engines_hash_partitioned_aggregation_test {
namespace {

using gpu::aggregation_path;

auto on_path(aggregation_path path, std::uint64_t table_bytes = 0) {
  return [=]<class Task>(const Task& task, worker_pool&) -> std::unique_ptr<backend<Task>> {
    const gpu::backend_options options{.table_bytes = table_bytes, .path = path};
    return std::move(gpu::make_backends(task, {gpu::discover().devices.front().index}, options).front());
  };
}

const std::vector<std::pair<const char*, aggregation_path>> paths = {
    {"automatic", aggregation_path::automatic},
    {"general", aggregation_path::general},
    {"block table", aggregation_path::block_table},
    {"partitioned", aggregation_path::partitioned}};

template <class Task>
using entries_of = std::vector<std::pair<typename Task::key, typename Task::reduce::value_type>>;

template <class Task>
entries_of<Task> entries(const Task& task, const input& from, std::unique_ptr<backend<Task>> on,
                         worker_pool& pool, run_report& report) {
  std::vector<std::unique_ptr<backend<Task>>> one;
  one.push_back(std::move(on));
  const auto result = scheduler::run(task, from, one, pool, nullptr, report);
  entries_of<Task> all;
  result.for_each([&](const auto& key, const auto& value) { all.emplace_back(key, value); });
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  return all;
}

constexpr std::uint64_t all_memory = 0;
constexpr std::uint64_t little_memory = std::uint64_t{64} << 20;

/// Checks that every path finds the CPU's answer, with all memory and with little memory.
template <class Task>
void check_paths(const Task& task, const input& from,
                 const std::vector<std::uint64_t>& memory = {all_memory, little_memory},
                 const std::vector<std::pair<const char*, aggregation_path>>& on = paths) {
  cpu::tbb_pool pool(4);
  run_report report;
  const auto expected =
      entries<Task>(task, from, std::make_unique<cpu::cpu_backend<Task>>(task, pool), pool, report);
  for (const auto& [name, path] : on) {
    for (const std::uint64_t table_bytes : memory) {
      INFO(name << ", " << table_bytes << " bytes");
      const auto found = entries<Task>(task, from, on_path(path, table_bytes)(task, pool), pool, report);
      CHECK(found.size() == expected.size());
      CHECK((found == expected));
    }
  }
}

/// Collects pairs of numbers as the bytes of a text.
template <class Number>
class pair_text {
 public:
  void add(Number key, Number value) {
    const Number pair[2] = {key, value};
    bytes_.append(reinterpret_cast<const char*>(pair), sizeof pair);
  }
  [[nodiscard]] input as_input() const { return text_input(bytes_); }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

template <class Number, class Key>
pair_text<Number> make_pairs(std::uint64_t count, std::mt19937_64& random, const Key& key) {
  pair_text<Number> text;
  for (std::uint64_t i = 0; i < count; ++i)
    text.add(static_cast<Number>(key(i)), static_cast<Number>(random()));
  return text;
}

void check_both_widths(std::uint64_t count, const std::function<std::uint64_t(std::uint64_t)>& key) {
  auto random = seeded();
  check_paths(pair_sums<std::int32_t>{}, make_pairs<std::uint32_t>(count, random, key).as_input());
  check_paths(wide_sums{}, make_pairs<std::uint64_t>(count, random, key).as_input());
}

input few_wide_pairs() {
  auto random = seeded();
  return make_pairs<std::uint64_t>(5000, random, [&](std::uint64_t) { return random() % 700; }).as_input();
}

}  // namespace

TEST_CASE("GPU aggregation: the contract, on every path", "[gpu]") {
  if (no_gpu()) return;
  auto random = seeded();
  const auto pairs = boundary_rows<std::uint32_t>(random, 2);
  const auto wide = boundary_rows<std::uint64_t>(random, 2);
  const auto flags = boundary_rows<std::uint32_t>(random, 5, 12);
  for (const auto& [name, path] : paths) {
    INFO(name);
    check_answers(pair_sums<std::int32_t>{}, pairs, on_path(path));
    check_answers(wide_maxima{}, wide, on_path(path));
    check_answers(row_flags{}, flags, on_path(path));
    check_answers(digit_sums{}, boundary_ranges(), on_path(path));
  }
}

TEST_CASE("GPU aggregation: few keys, many, and all different", "[gpu]") {
  if (no_gpu()) return;
  auto random = seeded();
  for (const std::uint64_t distinct : {1u, 2u, 10u, 1000u, 12'000u, 60'000u, 700'000u}) {
    CAPTURE(distinct);
    check_both_widths(1'500'000, [&](std::uint64_t) { return random() % distinct * 0x9E3779B97F4A7C15u; });
  }
  check_both_widths(1'500'001, [](std::uint64_t i) { return i; });
}

TEST_CASE("GPU aggregation: every way to update a value", "[gpu]") {
  if (no_gpu()) return;
  auto random = seeded();
  for (const std::uint64_t distinct : {5u, 5000u, 200'000u}) {
    CAPTURE(distinct);
    const auto key = [&](std::uint64_t) {
      return random() % distinct;
    };
    const auto narrow = make_pairs<std::uint32_t>(700'000, random, key).as_input();
    check_paths(pair_sums<std::int64_t>{}, narrow);
    check_paths(pair_minima{}, narrow);
    check_paths(pair_parity{}, narrow);
    check_paths(wide_maxima{}, make_pairs<std::uint64_t>(700'000, random, key).as_input());
    check_paths(digit_sums{.distinct = distinct}, index_input(30'000));
  }
}

TEST_CASE("GPU aggregation: values of 16 and 32 bytes, field by field", "[gpu]") {
  if (no_gpu()) return;
  auto random = seeded();
  // Without the general path, which would lock each value; another test gives it fewer values.
  const std::vector<std::pair<const char*, aggregation_path>> in_tables = {
      {"automatic", aggregation_path::automatic}, {"partitioned", aggregation_path::partitioned}};
  const auto check_structs = [&](std::uint64_t count, const auto& key) {
    const auto wide = make_pairs<std::uint64_t>(count, random, key).as_input();
    check_paths(extents{}, wide, {all_memory}, in_tables);
    check_paths(float_extents{}, wide, {all_memory}, in_tables);
    check_paths(narrow_extents{}, make_pairs<std::uint32_t>(count, random, key).as_input(), {all_memory},
                in_tables);
  };
  for (const std::uint64_t distinct : {1u, 100u, 4000u, 60'000u, 700'000u}) {
    CAPTURE(distinct);
    check_structs(700'000, [&](std::uint64_t) { return random() % distinct * 0x9E3779B97F4A7C15u; });
  }
  check_structs(1'000'000, [&](std::uint64_t) { return random() % 2 == 0 ? 77 : random() % 300'000; });
  check_structs(500'000, [](std::uint64_t i) { return i / 100; });
}

TEST_CASE("GPU aggregation: values of 32 bytes on every path, and behind locks", "[gpu]") {
  if (no_gpu()) return;
  auto random = seeded();
  for (const std::uint64_t distinct : {500u, 20'000u, 200'000u}) {
    CAPTURE(distinct);
    const auto key = [&](std::uint64_t) {
      return random() % distinct;
    };
    check_paths(extents{}, make_pairs<std::uint64_t>(150'000, random, key).as_input());
    check_paths(locked_extents{}, make_pairs<std::uint64_t>(150'000, random, key).as_input());
  }
}

TEST_CASE("GPU aggregation: a few structs on every path, field by field", "[gpu][sanitize]") {
  if (no_gpu()) return;
  check_paths(extents{}, few_wide_pairs(), {all_memory});
}

// Racecheck does not see that a lock orders the writes of its holders.
TEST_CASE("GPU aggregation: a few structs on every path, behind locks", "[gpu][memcheck]") {
  if (no_gpu()) return;
  check_paths(locked_extents{}, few_wide_pairs(), {all_memory});
}

TEST_CASE("GPU aggregation: small values in wide sums, and large ones that no sample shows", "[gpu]") {
  if (no_gpu()) return;
  auto random = seeded();
  for (const unsigned one_in : {0u, 700'000u, 50u}) {
    CAPTURE(one_in);
    pair_text<std::uint64_t> pairs;
    for (unsigned i = 0; i < 1'400'000; ++i) {
      const bool is_large = one_in > 0 && i % one_in == one_in / 2;
      pairs.add(random() % 200'000, is_large ? random() : random() % 100'000 - 50'000);
    }
    check_paths(wide_sums{}, pairs.as_input());
    check_paths(wide_maxima{}, pairs.as_input());
  }
  // Large values begin in the middle, in a chunk after the sampled chunk.
  constexpr std::uint64_t count = 13'000'000;
  pair_text<std::uint64_t> growing;
  for (std::uint64_t i = 0; i < count; ++i)
    growing.add(random() % 200'000, i < count / 2 ? i % 1000 : random());
  check_paths(wide_sums{}, growing.as_input(), {all_memory});
}

TEST_CASE("GPU aggregation: no key is reserved", "[gpu]") {
  if (no_gpu()) return;
  auto random = seeded();
  const std::uint64_t special[] = {0,
                                   1,
                                   2,
                                   3,
                                   0xFFFFFFFF,
                                   0xFFFFFFFE,
                                   0x80000000,
                                   0x9E3779B1,
                                   0xFFFFFFFFFFFFFFFF,
                                   0xFFFFFFFF00000000,
                                   0x8000000000000000};
  check_both_widths(300'000, [&](std::uint64_t) { return special[random() % std::size(special)]; });
  // The tables have no room for all of the 400,000 other keys.
  check_both_widths(1'000'000, [&](std::uint64_t i) {
    return i % 3 == 0 ? special[random() % std::size(special)] : random() % 400'000;
  });
}

TEST_CASE("GPU aggregation: frequent keys beside rare ones", "[gpu]") {
  if (no_gpu()) return;
  auto random = seeded();
  const auto zipf = [&](std::uint64_t) {
    return static_cast<std::uint64_t>(
        std::exp(static_cast<double>(random() >> 11) * 0x1p-53 * std::log(2'000'000.0)));
  };
  check_both_widths(2'000'000, zipf);
  check_both_widths(2'000'000, [&](std::uint64_t) { return random() % 2 == 0 ? 77 : random(); });
}

TEST_CASE("GPU aggregation: sorted and clustered pairs", "[gpu]") {
  if (no_gpu()) return;
  for (const std::uint64_t run : {3u, 100u, 40'000u}) {
    CAPTURE(run);
    check_both_widths(1'500'000, [=](std::uint64_t i) { return i / run; });
    check_both_widths(1'500'000, [=](std::uint64_t i) { return i / run * 0x9E3779B97F4A7C15u % 5000; });
  }
}

TEST_CASE("GPU aggregation: keys of one partition overflow it", "[gpu]") {
  if (no_gpu()) return;
  auto random = seeded();
  // All keys belong to one partition: their spreads share the leading 8 bits.
  std::vector<std::uint32_t> keys;
  while (keys.size() < 60'000) {
    const auto key = static_cast<std::uint32_t>(random());
    if (gpu::spread(key) >> 24 == 0x5A) keys.push_back(key);
  }
  const auto of_one = make_pairs<std::uint32_t>(1'000'000, random,
                                                [&](std::uint64_t) { return keys[random() % keys.size()]; });
  check_paths(pair_sums<std::int32_t>{}, of_one.as_input());
  // Half of the pairs have such keys. The sample suggests that half of the keys are such keys.
  const auto half = make_pairs<std::uint32_t>(1'000'000, random, [&](std::uint64_t i) {
    return i % 2 == 0 ? keys[random() % keys.size()] : static_cast<std::uint32_t>(random());
  });
  check_paths(pair_sums<std::int32_t>{}, half.as_input());
}

TEST_CASE("GPU aggregation: the input is not what its beginning promised", "[gpu]") {
  if (no_gpu()) return;
  auto random = seeded();
  // At least three chunks: few different keys, then only different keys, then few again; and the reverse.
  constexpr std::uint64_t count = 26'000'000;
  const auto changing = make_pairs<std::uint32_t>(
      count, random, [&](std::uint64_t i) { return i < count / 3 || i > count / 10 * 9 ? i % 7 : i; });
  check_paths(pair_sums<std::int32_t>{}, changing.as_input(), {all_memory});
  const auto settling =
      make_pairs<std::uint32_t>(count, random, [&](std::uint64_t i) { return i < count / 3 ? i : i % 7; });
  check_paths(pair_sums<std::int64_t>{}, settling.as_input(), {all_memory});
}

TEST_CASE("GPU aggregation: a broken promise is found out", "[gpu]") {
  if (no_gpu()) return;
  cpu::tbb_pool pool(2);
  run_report report;
  for (const std::uint64_t count : {100u, 200'000u}) {
    for (const auto& [name, path] : paths) {
      INFO(name << ", " << count);
      const talkative_indices task{.breaks_at = count - 7};
      CHECK_THROWS_WITH(entries(task, index_input(count), on_path(path)(task, pool), pool, report),
                        contains("max_emits_per_record"));
      const talkative_indices silent{.breaks_at = count};
      CHECK(entries(silent, index_input(count), on_path(path)(silent, pool), pool, report).size() == count);
    }
  }
}

TEST_CASE("GPU aggregation: the run says which path was chosen, and why", "[gpu]") {
  if (no_gpu() || torture_hash) return;  // one hash for all keys allows only the general path
  auto random = seeded();
  cpu::tbb_pool pool(2);
  const pair_sums<std::int32_t> task;
  const auto note_for = [&](std::uint64_t distinct) {
    const auto pairs =
        make_pairs<std::uint32_t>(2'000'000, random, [&](std::uint64_t) { return random() % distinct; });
    run_report report;
    static_cast<void>(
        entries(task, pairs.as_input(), on_path(aggregation_path::automatic)(task, pool), pool, report));
    for (const std::string& note : report.notes) {
      if (note.find("aggregate: ") != std::string::npos) return note;
    }
    return std::string();
  };
  CHECK_THAT(note_for(100), contains("slots per multiprocessor") && contains("about 100 keys"));
  CHECK_THAT(note_for(300'000), contains("partitioned in 256"));
}

}  // namespace duomap::test::gpu_engines_hash_partitioned_aggregation_test

#endif
