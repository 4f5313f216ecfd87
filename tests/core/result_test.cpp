// Tests results: orders, ties, the best rows, keys that nobody emitted, finish().
#include "core/result.hpp"

#include "cpu/cpu_backend.hpp"
#include "cpu/tbb_pool.hpp"
#include "scheduler/run.hpp"
#include "tests/catch.hpp"
#include "tests/conformance/oracle.hpp"
#include "tests/conformance/tasks.hpp"
#include "tests/support/inputs.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace duomap::test::core_result_test {
namespace {

template <class Task>
result_for<Task> run_on(const Task& task, const input& from, worker_pool& pool) {
  std::vector<std::unique_ptr<backend<Task>>> backends;
  backends.push_back(std::make_unique<cpu::cpu_backend<Task>>(task, pool));
  run_report report;
  return scheduler::run(task, from, backends, pool, nullptr, report);
}

template <class Task>
result_for<Task> run_on(const Task& task, const input& from) {
  cpu::tbb_pool pool(2);
  return run_on(task, from, pool);
}

using counted = std::pair<std::string, std::uint64_t>;
using counts = std::vector<counted>;

template <class Rows>
counts plain(const Rows& rows) {
  counts all;
  for (const auto& row : rows) all.emplace_back(row.key.text(), row.value);
  return all;
}

TEST_CASE("result: by key, by value, and the first few of either") {
  const auto result = run_on(word_counts{}, text_input("b a c b a b d \xC3\xA9 aa"));
  CHECK(result.size() == 6);
  CHECK(plain(result.sorted(by_key)) ==
        counts{{"a", 2}, {"aa", 1}, {"b", 3}, {"c", 1}, {"d", 1}, {"\xC3\xA9", 1}});
  const counts ranked = {{"b", 3}, {"a", 2}, {"aa", 1}, {"c", 1}, {"d", 1}, {"\xC3\xA9", 1}};
  CHECK(plain(result.sorted(by_value)) == ranked);
  for (std::size_t count = 0; count < 9; ++count) {
    const counts expected(ranked.begin(),
                          ranked.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(count, 6)));
    CHECK(plain(result.top(count, by_value)) == expected);
  }
  CHECK(plain(result.top(UINT64_MAX, by_value)) == ranked);
}

TEST_CASE("result: bytes order as unsigned characters, a prefix before what it starts") {
  const std::string text = std::string("\n\x01\n\x7F\n\x80\n\xFF\nab\na\n") + std::string("a\0", 2) + "\n" +
                           std::string(16, 'a') + "\n" + std::string(15, 'a') + "\n" +
                           std::string(16, '\xFF') + "\n";
  const auto result = run_on(line_spans{}, text_input(text));
  std::vector<std::string> keys, expected;
  for (const auto& row : result.sorted(by_key)) keys.emplace_back(row.key.text());
  for (const auto& [start, size] : split_lines(text)) expected.push_back(text.substr(start, size));
  std::sort(expected.begin(), expected.end());
  CHECK(keys == expected);
}

TEST_CASE("result: by value, NaN comes last, in the order of keys") {
  using row = result_row<std::uint32_t, double>;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  std::vector<row> rows;
  for (std::uint32_t key = 0; key < 100; ++key) rows.push_back({key, key % 3 == 0 ? nan : key % 7 - 3.0});
  std::shuffle(rows.begin(), rows.end(), std::mt19937_64(seed()));
  std::sort(rows.begin(), rows.end(), by_value);
  for (std::size_t i = 0; i < 66; ++i) CHECK_FALSE(std::isnan(rows[i].value));
  for (std::size_t i = 66; i < 100; ++i) CHECK(rows[i].key == 3 * (i - 66));
  CHECK(rows[0].value == 3);
  CHECK(rows[65].value == -3);
}

TEST_CASE("result: sorting on a pool is sorting") {
  auto random = std::mt19937_64(seed());
  const std::string text = random_words(random, torture ? 20'000 : 1'000'000, 100'000);
  std::vector<counts> by_keys, by_values;
  for (const unsigned workers : {1u, 2u, 3u, 7u}) {
    cpu::tbb_pool pool(workers);
    const auto result = run_on(word_counts{}, text_input(text), pool);
    by_keys.push_back(plain(result.sorted(by_key, pool)));
    by_values.push_back(plain(result.sorted(by_value, pool)));
    CHECK(by_keys.back() == by_keys.front());
    CHECK(by_values.back() == by_values.front());
    CHECK(plain(result.sorted(by_key)) == by_keys.front());
    CHECK(plain(result.top(100, by_value)) ==
          counts(by_values.front().begin(), by_values.front().begin() + 100));
  }
  CHECK(std::is_sorted(by_keys.front().begin(), by_keys.front().end()));
  CHECK(std::is_sorted(
      by_values.front().begin(), by_values.front().end(),
      [](const counted& a, const counted& b) { return a.second != b.second ? a.second > b.second : a < b; }));
}

TEST_CASE("result: keys stay where they are when the result moves") {
  auto result = run_on(word_counts{}, text_input("short a-word-of-more-than-fifteen'bytes'in'all"));
  const auto moved = std::make_unique<decltype(result)>(std::move(result));
  const auto rows = moved->sorted(by_key);
  REQUIRE(rows.size() == 7);
  const auto later = std::make_unique<result_for<word_counts>>(std::move(*moved));
  CHECK(plain(rows).front().first == "a");
  CHECK(plain(rows).back().first == "word");
}

TEST_CASE("result: dense keys that were emitted, and others") {
  const std::string bytes = {'\x05', '\x05', '\x07'};
  const auto result = run_on(byte_histogram{}, text_input(bytes));
  CHECK(result.size() == 256);
  CHECK(result.contains(5));
  CHECK_FALSE(result.contains(6));
  CHECK_FALSE(result.contains(256));
  CHECK_THROWS_WITH(result[256], contains("no key of the result"));
  CHECK(result[5] == 2);
  CHECK(result[6] == 0);  // the identity
  CHECK(result.at(5) == 2);
  CHECK(result.find(7) == 1u);
  CHECK_FALSE(result.find(6));
  CHECK_FALSE(result.find(256));
  CHECK_THROWS_AS(result.at(6), std::out_of_range);
  std::vector<std::uint64_t> keys;
  result.for_each([&](std::uint64_t key, std::uint64_t) { keys.push_back(key); });
  CHECK(keys == std::vector<std::uint64_t>{5, 7});
}

TEST_CASE("result: no value and no identity") {
  const auto nothing = run_on(overall<minimum<std::int64_t>>{}, text_input(""));
  CHECK(nothing.size() == 1);
  CHECK_FALSE(nothing.contains(0));
  CHECK_THROWS_WITH(nothing[0], contains("nothing was emitted under this key"));
  CHECK(run_on(overall<sum<std::uint64_t>>{}, text_input(""))[0] == 0);
  CHECK(run_on(matrix_product{}, text_input(""))[0] == matrix{1, 0, 0, 1});
}

TEST_CASE("result: finish() sees every key once, also the identity") {
  const std::int32_t rows[] = {1, 10, 0, 1, -3, 0, 4, 2, 0};
  const std::string bytes =
      std::string(8, '#') + std::string(reinterpret_cast<const char*>(rows), sizeof rows);
  const auto result = run_on(cell_moments{}, text_input(bytes));
  CHECK(result[1] == moments{2, 7 + 1, 0});
  CHECK(result[4] == moments{1, 2 + 4, 0});
  CHECK(result[3] == moments{0, 3, 0});
  const auto words = run_on(finished_word_counts{}, text_input("a a bb"));
  const auto sorted = words.sorted([](const auto& a, const auto& b) { return a.key.text() < b.key.text(); });
  REQUIRE(sorted.size() == 2);
  CHECK(sorted[0].value == finished_word_counts::summary{1, 1});
  CHECK(sorted[1].value == finished_word_counts::summary{0.5, 2});
}

TEST_CASE("result: fixed-size keys order by their own less, or by their bytes") {
  const auto numbers = [] {
    const std::uint64_t rows[] = {256, 0, 1, 0, 300, 0};
    return std::string(24, '#') + std::string(reinterpret_cast<const char*>(rows), sizeof rows);
  }();
  std::vector<std::uint64_t> keys;
  for (const auto& row : run_on(number_parity{}, text_input(numbers)).sorted(by_key)) keys.push_back(row.key);
  CHECK(keys == std::vector<std::uint64_t>{1, 256, 300, ~std::uint64_t{0}});
  std::vector<std::uint32_t> sizes;
  const auto shapes = run_on(field_sums{}, text_input("abc\nab\n\nabcd\n"));
  for (const auto& row : shapes.sorted(by_key)) sizes.push_back(row.key.size);
  CHECK(sizes == std::vector<std::uint32_t>{0, 2, 3, 4});
}

TEST_CASE("result: collected rows in input order and grouped") {
  const std::string text = "bbb 1\naaa 1\nbbb 2\naaa 2 and more than fifteen bytes\nbbb 1\n";
  const auto rows_of = [&](bool grouped) {
    std::vector<std::string> rows;
    const auto result = run_on(lines_by_head{.grouped = grouped}, text_input(text));
    result.for_each([&](byte_view key, byte_view value) {
      if (key.size == 3) rows.push_back(std::string(key.text()) + "=" + std::string(value.text()));
    });
    return rows;
  };
  using list = std::vector<std::string>;
  CHECK(rows_of(false) ==
        list{"bbb=bbb 1", "aaa=aaa 1", "bbb=bbb 2", "aaa=aaa 2 and more than fifteen bytes", "bbb=bbb 1"});
  CHECK(rows_of(true) ==
        list{"aaa=aaa 1", "aaa=aaa 2 and more than fifteen bytes", "bbb=bbb 1", "bbb=bbb 2", "bbb=bbb 1"});
}

TEST_CASE("result: slots that nothing was emitted to are empty") {
  const std::int64_t rows[] = {5, 3};
  const auto result =
      run_on(extremes{}, text_input(std::string(reinterpret_cast<const char*>(rows), sizeof rows)));
  CHECK_FALSE(result.get<0>().has_value());
  CHECK(result.get<1>() == scored<std::int64_t>{5, 0});
  CHECK_FALSE(result.get<2>().has_value());
}

TEST_CASE("result: best values, best first, ties by index") {
  const std::int64_t rows[] = {4, 9, 9, -1, 9, 4};
  const std::string bytes(reinterpret_cast<const char*>(rows), sizeof rows);
  using list = std::vector<scored<std::int64_t>>;
  const auto best = run_on(largest_rows{.k = 4}, text_input(bytes));
  CHECK(best.size() == 1);
  CHECK(best[0] == list{{9, 1}, {9, 2}, {9, 4}, {4, 0}});
  CHECK(run_on(largest_rows{.k = 0}, text_input(bytes))[0].empty());
  const auto classes = run_on(largest_rows_by_class{.k = 1}, text_input(bytes));
  CHECK(classes[0] == list{{4, 0}});
  CHECK(classes[1] == list{{9, 1}});
  CHECK(classes[3].empty());
}

}  // namespace
}  // namespace duomap::test::core_result_test
