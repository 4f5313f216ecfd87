// Tests the second grouping of a result's rows, with hashes that several groups share, and the numbers of
// texts.
#include "apps/tasks/table/value_rows.hpp"

#include "apps/tasks/table/scaled_number.hpp"
#include "core/config.hpp"
#include "core/error.hpp"
#include "core/worker_pool.hpp"
#include "tests/catch.hpp"
#include "tests/support/threaded_pool.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <mutex>
#include <random>
#include <string>
#include <vector>

namespace duomap::test::apps_tasks_table_value_rows_test {
namespace {

using namespace duomap::apps;

std::optional<number_type> type_of(const std::vector<std::string>& texts,
                                   std::vector<std::int64_t>& numbers) {
  std::vector<std::string> keys;
  for (const std::string& one : texts) keys.push_back("group\n" + one);
  std::vector<value_row> rows;
  for (const std::string& one : keys) {
    rows.push_back(value_row_of(byte_view(one), 2));
    rows.back().rows = one == "group\n" ? 0 : 1;
  }
  threaded_pool pool(2);
  const std::optional<number_type> type = read_numbers(rows, pool);
  numbers.clear();
  for (const value_row& one : rows) numbers.push_back(one.number);
  return type;
}

}  // namespace

TEST_CASE("value rows: a key is split at its last line feed") {
  const std::string key = "a\nb\n12", no_value = "\n";
  const value_row row = value_row_of(byte_view(key), 3);
  CHECK(row.group().text() == "a\nb");
  CHECK(row.text().text() == "12");
  CHECK(value_row_of(byte_view(no_value), 2).group().text().empty());
  CHECK(value_row_of(byte_view(no_value), 2).text().text().empty());
  CHECK_THROWS_AS(value_row_of(byte_view(key), 2), input_error);
  CHECK_THROWS_AS(value_row_of(byte_view(key), 4), input_error);
  CHECK_THROWS_AS(value_row_of({}, 2), input_error);
}

TEST_CASE("value rows: numbers if all values are numbers") {
  std::vector<std::int64_t> numbers;
  CHECK(type_of({"1", " 1.50 ", "", "-0", "+2"}, numbers) == number_type{.scale = 2});
  CHECK(numbers == std::vector<std::int64_t>{100, 150, 0, 0, 200});
  CHECK(type_of({"9223372036854775807", "-9223372036854775808"}, numbers) == number_type{});
  CHECK(type_of({"0", "0.5", ".5"}, numbers) == number_type{.scale = 1});
  CHECK(type_of({}, numbers) == number_type{});
  CHECK(type_of({"1e3", "+1000", " 0.30000000000000004", "-0", "0e0", ""}, numbers) ==
        number_type{.real = true});
  CHECK(numbers == std::vector<std::int64_t>{ordered_bits(1000), ordered_bits(1000),
                                             ordered_bits(0.30000000000000004), 0, 0, 0});
  // Words, codes, and numbers of many digits that 64 bits do not hold together.
  for (const std::vector<std::string>& texts :
       std::vector<std::vector<std::string>>{{"1", "x"},
                                             {"1", "01"},
                                             {"1", "-007"},
                                             {"1e3", "x"},
                                             {"1e3", "007"},
                                             {"1e3", "123456789012345678"},
                                             {"1e400"},
                                             {"9223372036854775808"},
                                             {"9223372036854775807", "0.5"},
                                             {"0.1234567890123456789"},
                                             {"1", "-"}}) {
    CAPTURE(texts);
    CHECK_FALSE(type_of(texts, numbers));
    CHECK(std::ranges::count(numbers, 0) == static_cast<std::ptrdiff_t>(numbers.size()));
  }
}

TEST_CASE("value rows: each group comes once, in the order of its numbers") {
  auto random = std::mt19937_64(seed());
  for (const std::uint64_t size : {0u, 1u, 2u, 50u, torture ? 500u : 40'000u}) {
    for (const std::uint64_t hashes : {1u, 3u, 1'000'000u}) {
      for (const unsigned workers : {1u, 2u, 3u}) {
        std::vector<std::string> keys;
        std::map<std::string, std::vector<std::int64_t>> right;
        for (std::uint64_t i = 0; i < size; ++i) {
          // The first groups are large.
          const std::uint64_t group = random() % (1 + random() % 200);
          const auto number = static_cast<std::int64_t>(random() % 1000) - 500;
          right[std::to_string(group)].push_back(number);
          keys.push_back(std::to_string(group) + "\n" + std::to_string(number));
        }
        std::vector<value_row> rows;
        for (const std::string& key : keys) {
          value_row row = value_row_of(byte_view(key), 2);
          row.hash %= hashes;
          row.number = std::stoll(std::string(row.text().text()));
          rows.push_back(row);
        }
        threaded_pool pool(workers);
        std::mutex mutex;
        std::map<std::string, std::vector<std::int64_t>> found;
        std::uint64_t wrong = 0, groups = 0;
        for_each_group(rows, pool, [&](std::uint64_t part, std::span<const value_row> group) {
          const std::lock_guard lock(mutex);
          wrong += part >= parts_of_groups(pool);
          ++groups;
          for (const value_row& row : group) {
            wrong += row.group().text() != group[0].group().text();
            found[std::string(row.group().text())].push_back(row.number);
          }
        });
        for (auto& [group, numbers] : right) std::ranges::sort(numbers);
        CAPTURE(size, hashes, workers);
        CHECK(wrong == 0);
        CHECK(groups == right.size());
        CHECK(found == right);
      }
    }
  }
}

}  // namespace duomap::test::apps_tasks_table_value_rows_test
