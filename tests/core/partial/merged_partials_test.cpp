// Tests core/partial: merging partials of every kind gives the same answer as one reduction of everything.
#include "core/compact_key.hpp"
#include "core/partial/all.hpp"
#include "core/record/index_range.hpp"
#include "core/worker_pool.hpp"
#include "cpu/container/keyed_container.hpp"
#include "tests/catch.hpp"
#include "tests/core/partial/partial_tasks.hpp"
#include "tests/support/colliding_words.hpp"
#include "tests/support/threaded_pool.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace duomap::test::core_partial_merged_partials_test {

static_assert(std::is_same_v<partial_for<task_of<byte_view, number_sum>>, keyed_partial<std::uint64_t>>);
static_assert(std::is_same_v<partial_for<task_of<std::uint32_t, number_sum>>, keyed_partial<std::uint64_t>>);
static_assert(std::is_same_v<partial_for<task_of<dense, number_sum>>, dense_partial<std::uint64_t>>);
static_assert(std::is_same_v<partial_for<task_of<no_key, number_sum>>, dense_partial<std::uint64_t>>);
static_assert(std::is_same_v<partial_for<slots_task>, slots_partial<number_sum, maximum<int>>>);
static_assert(std::is_same_v<partial_for<task_of<byte_view, in_order>>, collected_partial<sequence>>);
static_assert(std::is_same_v<partial_for<task_of<dense, in_order>>, collected_partial<sequence>>);
static_assert(std::is_same_v<partial_for<task_of<byte_view, collect<int>>>, collected_partial<int>>);
static_assert(std::is_same_v<partial_for<task_of<no_key, collect<byte_view>>>, collected_partial<byte_view>>);
static_assert(
    std::is_same_v<partial_for<task_of<no_key, top_k<int, std::less<>>>>, top_partial<int, std::less<>>>);

TEST_CASE("keyed partials merge to the sums of all", "[partial]") {
  const std::uint32_t seed = test::seed();
  CAPTURE(seed);
  std::mt19937 random(seed);
  const task_of<byte_view, number_sum> task;
  for (const unsigned workers : {1U, 3U}) {
    test::threaded_pool pool(workers);
    for (const std::size_t parts : {1U, 2U, 3U, 9U}) {
      for (const std::uint64_t distinct : {1U, 10U, 1500U}) {
        CAPTURE(workers, parts, distinct);
        std::vector<keyed_partial<std::uint64_t>> partials;
        std::map<std::string, std::uint64_t> expected;
        for (std::size_t part = 0; part < parts; ++part) {
          std::map<std::string, std::uint64_t> counts;
          // Every fourth partial is empty, like that of a backend that got no work.
          for (std::uint64_t i = part % 4 == 3 ? 0 : distinct; i > 0; --i)
            ++counts[some_key(random, distinct)];
          for (const auto& [key, count] : counts) expected[key] += count;
          partials.push_back(random() % 2 == 0 ? keyed_from(counts) : unread(keyed_from(counts)));
        }
        const auto merged = merge_partials(std::move(partials), task, pool);
        CHECK((contents(merged) == expected));
        CHECK(merged.size() == expected.size());
        CHECK(merged.arenas.size() == parts);
        CHECK(merged.unread.empty());
      }
    }
  }
}

TEST_CASE("what several parts of one partial have not read is merged", "[partial]") {
  test::threaded_pool pool(2);
  const std::map<std::string, std::uint64_t> counts = {{"a", 1}, {"b", 2}, {"a key of sixteen", 3}};
  std::vector<keyed_partial<std::uint64_t>> partials(2);
  for (auto& partial : partials) {
    for (unsigned i = 0; i < 3; ++i) {
      const auto more = unread(keyed_from(counts));
      partial.arenas.push_back(more.arenas.front());
      partial.unread.push_back(more.unread.front());
    }
  }
  const auto merged = merge_partials(std::move(partials), task_of<byte_view, number_sum>{}, pool);
  CHECK((contents(merged) ==
         std::map<std::string, std::uint64_t>{{"a", 6}, {"b", 12}, {"a key of sixteen", 18}}));
  CHECK(merged.arenas.size() == 6);
}

TEST_CASE("keyed partials merge whose keys were made to collide", "[partial]") {
  test::threaded_pool pool(2);
  const std::uint64_t each = torture ? 500 : 40'000;
  const std::vector<std::string> words = test::colliding_words(2 * each, 64);
  std::vector<keyed_partial<std::uint64_t>> partials;
  std::map<std::string, std::uint64_t> expected;
  for (std::uint64_t part = 0; part < 3; ++part) {
    // Each partial shares half of its keys with the one before, and has other keys that do not collide.
    std::map<std::string, std::uint64_t> counts;
    for (std::uint64_t i = part * each / 2; i < part * each / 2 + each; ++i) counts[words[i]] = i + 1;
    for (std::uint64_t i = 0; i < 1000; ++i) counts["k" + std::to_string(i)] = i + 1;
    for (const auto& [key, count] : counts) expected[key] += count;
    partials.push_back(part == 1 ? unread(keyed_from(counts)) : keyed_from(counts));
  }
  CHECK((contents(merge_partials(std::move(partials), task_of<byte_view, number_sum>{}, pool)) == expected));
}

TEST_CASE("keyed partials merge where one partition is far larger than the others", "[partial]") {
  test::threaded_pool pool(3);
  std::vector<keyed_partial<std::uint64_t>> partials(2);
  std::map<std::string, std::uint64_t> expected;
  for (std::uint64_t i = 0; i < (torture_hash ? 300U : 300'000U); ++i) {
    const std::string name = "k" + std::to_string(i / 2 * 3 + i % 2);
    const compact_key key = compact_key::of_short(std::string_view(name));
    const unsigned p = partition_of(key.hash());
    if (p != 7 && i % 64 > 2) continue;
    for (std::uint64_t part = i % 3 == 0 ? 0 : 1; part < 2; ++part) {
      ++expected[name];
      partials[part].partitions[p].push_back({key, 1});
    }
  }
  CHECK((contents(merge_partials(std::move(partials), task_of<byte_view, number_sum>{}, pool)) == expected));
}

TEST_CASE("worker tables merge to the sums of all", "[partial]") {
  const std::uint32_t seed = test::seed();
  CAPTURE(seed);
  std::mt19937 random(seed);
  test::threaded_pool pool(4);
  for (const std::size_t workers : {1U, 2U, 5U, 6U}) {
    const std::size_t idle = workers % 2;  // a worker that mapped nothing
    std::vector<combining_table<std::uint64_t>> tables(workers);
    key_arena arena;
    std::map<std::string, std::uint64_t> expected;
    for (std::size_t worker = 0; worker < workers; ++worker) {
      const std::uint64_t distinct = torture_hash ? 100 : 5000;
      for (std::uint64_t i = worker == idle ? 0 : distinct; i > 0; --i) {
        std::string key = some_key(random, distinct);
        if (worker > 2) key += " of the others";  // keys that the first table lacks
        tables[worker].reduce_stored(key_of(key, arena), 1, number_sum{});
        ++expected[key];
      }
    }
    std::vector<combining_table<std::uint64_t>*> parts;
    for (auto& table : tables) parts.push_back(&table);
    const auto merged = merge_partitions<std::uint64_t>(
        pool, [&](unsigned partition) { return cpu::merge_partition(partition, parts, number_sum{}); });
    CHECK((contents(merged) == expected));
  }
}

// The reduction claims to be commutative, but its result shows the order of the parts.
TEST_CASE("the parts of a key are folded in the order of the parts", "[partial]") {
  using reduce = test::concatenation<true>;
  sequential pool;
  std::vector<combining_table<sequence>> tables(4);
  sequence expected = sequence_of(0);
  for (std::uint64_t i = 0; i < tables.size(); ++i) {
    tables[i].reduce_stored(compact_key::of_short(std::string_view("key")), sequence_of(i), reduce{});
    if (i > 0) expected = reduce{}(expected, sequence_of(i));
  }
  const std::vector<combining_table<sequence>*> parts = {&tables[0], &tables[1], &tables[2], &tables[3]};
  const auto merged = contents(merge_partitions<sequence>(
      pool, [&](unsigned partition) { return cpu::merge_partition(partition, parts, reduce{}); }));
  CHECK(merged.size() == 1);
  CHECK(merged.at("key") == expected);
}

TEST_CASE("dense partials merge key by key and know which keys are there", "[partial]") {
  const std::uint32_t seed = test::seed();
  CAPTURE(seed);
  std::mt19937 random(seed);
  test::threaded_pool pool(3);
  for (const std::uint64_t keys : {0U, 1U, 2U, 4095U, 4096U, 4097U, 9000U}) {
    for (const std::size_t parts : {1U, 2U, 4U}) {
      CAPTURE(keys, parts);
      const task_of<dense, number_sum> task{.keys = keys};
      CHECK(dense_key_count(task) == keys);
      std::vector<dense_partial<std::uint64_t>> partials(parts, dense_partial<std::uint64_t>(keys));
      std::vector<std::uint64_t> sums(keys, 0);
      std::vector<char> present(keys, 0);
      for (auto& partial : partials) {
        for (std::uint64_t i = 0; i < keys; ++i) {
          const std::uint64_t key = random() % keys;
          const std::uint64_t value = random() % 3;  // a key whose values sum to 0 still counts as present
          partial.reduce(key, value, number_sum{});
          sums[key] += value;
          present[key] = 1;
        }
      }
      const auto merged = merge_partials(std::move(partials), task, pool);
      REQUIRE(merged.size() == keys);
      std::uint64_t wrong = 0;
      for (std::uint64_t key = 0; key < keys; ++key) {
        if (merged.present(key) != (present[key] != 0)) ++wrong;
        if (merged.present(key) && merged[key] != sums[key]) ++wrong;
      }
      CHECK(wrong == 0);
    }
  }
}

TEST_CASE("the first value of a dense key is kept as it is", "[partial]") {
  dense_partial<int> lowest(2);
  lowest.reduce(1, 7, minimum<int>{});  // the minimum with an initial 0 would be 0
  CHECK(lowest.present(1));
  CHECK(lowest[1] == 7);
  CHECK_FALSE(lowest.present(0));
  CHECK(dense_key_count(task_of<no_key, number_sum>{}) == 1);
}

namespace {

/// Logical or: whether any value is true.
struct any {
  using value_type = bool;
  static constexpr bool associative = true;
  static constexpr bool commutative = true;
  bool operator()(bool a, bool b) const { return a || b; }
};
static_assert(reduction<any>);

}  // namespace

// std::vector<bool> packs bits: it gives no references, and two threads cannot write neighbours.
TEST_CASE("dense partials hold truth values", "[partial]") {
  constexpr std::uint64_t keys = 20'000;
  const task_of<dense, any> task{.keys = keys};
  std::vector<dense_partial<bool>> partials(2, dense_partial<bool>(keys));
  for (std::uint64_t key = 0; key < keys; ++key) {
    partials[0].reduce(key, key % 3 == 0, any{});
    partials[1].reduce(key, key % 5 == 0, any{});
  }
  test::threaded_pool pool(4);
  const auto merged = merge_partials(std::move(partials), task, pool);
  std::uint64_t wrong = 0;
  for (std::uint64_t key = 0; key < keys; ++key) {
    if (merged[key] != (key % 3 == 0 || key % 5 == 0)) ++wrong;
  }
  CHECK(wrong == 0);
}

TEST_CASE("slots merge one by one, and stay empty when nobody emitted", "[partial]") {
  using ops = slots<number_sum, minimum<int>, argmax<double>>;
  const task_of<no_key, ops> task;
  sequential pool;
  using partial = slots_partial<number_sum, minimum<int>, argmax<double>>;
  partial first;
  partial second;
  partial third;
  first.reduce<0>(std::uint64_t{5}, ops{});
  first.reduce<0>(std::uint64_t{6}, ops{});
  third.reduce<0>(std::uint64_t{7}, ops{});
  third.reduce<1>(-3, ops{});
  const auto merged = merge_partials(std::vector{first, second, third}, task, pool);
  REQUIRE(merged.get<0>());
  CHECK(*merged.get<0>() == 18);
  REQUIRE(merged.get<1>());
  CHECK(*merged.get<1>() == -3);
  CHECK_FALSE(merged.get<2>());

  second.reduce<1>(-9, ops{});
  second.reduce<2>(scored<double>{1.5, 8}, ops{});
  first.reduce<2>(scored<double>{1.5, 9}, ops{});
  const auto again = merge_partials(std::vector{third, first, second}, task, pool);
  CHECK(*again.get<1>() == -9);
  CHECK(*again.get<2>() == scored<double>{1.5, 8});
}

TEST_CASE("the best k of all are the best k of the best of each", "[partial]") {
  const std::uint32_t seed = test::seed();
  CAPTURE(seed);
  std::mt19937 random(seed);
  test::threaded_pool pool(3);
  using op = top_k<int, std::greater<>>;
  for (const std::uint64_t k : {0U, 1U, 2U, 3U, 10U, 1000U}) {
    for (const std::size_t parts : {1U, 2U, 5U}) {
      CAPTURE(k, parts);
      constexpr std::uint64_t keys = 7;
      const task_of<dense, op> task{.keys = keys, .settings = {.k = k}};
      std::vector<top_partial<int, std::greater<>>> partials(parts, top_partial<int, std::greater<>>(keys));
      std::vector<std::vector<int>> all(keys);
      for (auto& partial : partials) {
        for (int n = 0; n < 60; ++n) {
          const std::uint64_t key = random() % (keys - 1);  // the last key gets no value
          const int value = static_cast<int>(random() % 100);
          partial[key].add(value, task.settings);
          all[key].push_back(value);
        }
      }
      const auto merged = merge_partials(std::move(partials), task, pool);
      REQUIRE(merged.size() == keys);
      for (std::uint64_t key = 0; key < keys; ++key) {
        std::sort(all[key].begin(), all[key].end(), std::greater<>());
        all[key].resize(std::min<std::size_t>(k, all[key].size()));
        CHECK(merged[key].ranked(task.settings) == all[key]);
      }
    }
  }
}

}  // namespace duomap::test::core_partial_merged_partials_test
