// Tests aggregates over different values, on the CPU and on a GPU, against lists of the values of each group.
#include "apps/tasks/table/grouped_values.hpp"

#include "apps/tasks/table/run_grouping.hpp"
#include "core/config.hpp"
#include "core/error.hpp"
#include "duomap.hpp"
#include "tests/catch.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/no_gpu.hpp"
#include "tests/support/threaded_pool.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace duomap::test::apps_tasks_table_grouped_values_test {
namespace {

using namespace duomap::apps;

using answer = std::map<std::string, std::vector<std::string>>;

std::string text_of_cell(const cell& one) {
  if (const auto* const text = std::get_if<byte_view>(&one)) return std::string(text->text());
  if (const auto* const number = std::get_if<std::uint64_t>(&one)) return std::to_string(*number);
  if (const auto* const number = std::get_if<std::int64_t>(&one)) return std::to_string(*number);
  if (const auto* const number = std::get_if<double>(&one)) return std::to_string(*number);
  return "missing";
}

/// The rows of the answer, by their keys with a bar behind each, in the order in which they come.
std::vector<std::pair<std::string, std::vector<std::string>>> rows_of(
    const std::string& table, const grouping& asked, group_order order = group_order::none,
    std::optional<std::uint64_t> top = {}, device_choice device = device_choice::cpu) {
  opened_tables from = open_tables(text_input(table), asked, nullptr);
  threaded_pool pool(2);
  std::vector<std::string> notes;
  const group_outcome outcome = run_grouping(from, asked, false, notes, pool, [&](const auto& task) {
    return std::optional(run(task, from.tables, {.device = device}));
  });
  std::vector<std::pair<std::string, std::vector<std::string>>> rows;
  outcome.table->for_each(order, top, pool, [&](std::span<const cell> cells) {
    rows.emplace_back();
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (i < asked.by.size())
        rows.back().first += text_of_cell(cells[i]) + "|";
      else
        rows.back().second.push_back(text_of_cell(cells[i]));
    }
  });
  CHECK(rows.size() == std::min(outcome.table->size(), top.value_or(outcome.table->size())));
  return rows;
}

grouping asking(const std::vector<std::string>& by, const std::vector<aggregate>& aggregates) {
  grouping asked;
  asked.by = by;
  asked.aggregates = aggregates;
  return asked;
}

void check_random_table(device_choice device) {
  auto random = std::mt19937_64(seed());
  std::string table = "k,v,w,l\n";
  struct group {
    std::vector<std::int64_t> values;
    std::uint64_t rows = 0;
    std::int64_t sum = 0;
  };
  std::map<std::string, group> groups;
  for (std::uint64_t i = 0; i < (torture ? 300u : 50'000u); ++i) {
    const std::string k = std::to_string(random() % 50), l = random() % 2 == 0 ? "\"a \"\"b\"\"\"" : "";
    const auto v = static_cast<std::int64_t>(random() % 200), w = static_cast<std::int64_t>(random() % 100);
    const bool missing = random() % 5 == 0;
    group& one = groups[k + "|" + (l.empty() ? "" : "a \"b\"") + "|"];
    ++one.rows;
    one.sum += w;
    if (!missing) one.values.push_back(v);
    table += k + "," + (missing ? "" : std::to_string(v) + (random() % 2 == 0 ? ".0" : "")) + "," +
             std::to_string(w) + "," + l + "\n";
  }
  const std::vector<aggregate> aggregates = {{aggregate_kind::rows, ""},    {aggregate_kind::distinct, "v"},
                                             {aggregate_kind::sum, "w"},    {aggregate_kind::mode, "v"},
                                             {aggregate_kind::median, "v"}, {aggregate_kind::count, "v"}};
  answer right;
  for (auto& [key, one] : groups) {
    std::ranges::sort(one.values);
    std::map<std::int64_t, std::uint64_t> counts;
    for (const std::int64_t value : one.values) ++counts[value];
    const auto most = std::ranges::max_element(counts, {}, [](const auto& each) { return each.second; });
    const std::size_t size = one.values.size();
    const bool none = size == 0;
    right[key] = {
        std::to_string(one.rows),
        std::to_string(counts.size()),
        std::to_string(one.sum),
        none ? "missing" : std::to_string(static_cast<double>(most->first)),
        none ? "missing"
             : std::to_string(static_cast<double>(one.values[(size - 1) / 2] + one.values[size / 2]) / 2),
        std::to_string(size)};
  }
  const auto rows = rows_of(table, asking({"k", "l"}, aggregates), group_order::none, {}, device);
  CHECK(answer(rows.begin(), rows.end()) == right);
}

}  // namespace

TEST_CASE("grouped values are those of lists") { check_random_table(device_choice::cpu); }

TEST_CASE("grouped values on a GPU are those of lists", "[gpu][sanitize]") {
  if (no_gpu()) return;
  check_random_table(device_choice::gpu);
  check_random_table(device_choice::cpu_gpu);
}

TEST_CASE("approximate aggregates and keys of functions on a GPU are those on the CPU", "[gpu]") {
  if (no_gpu()) return;
  auto random = std::mt19937_64(seed());
  std::string table = "t,ip,v,w\n";
  for (unsigned i = 0; i < (torture ? 300u : 60'000u); ++i) {
    const auto number = static_cast<std::int64_t>(random() % 100'000);
    table += "2024-0" + std::to_string(1 + random() % 9) + "-11T07:08:09,10.1." +
             std::to_string(random() % 4) + ".7," + std::to_string(number) + "," +
             (random() % 9 == 0 ? "" : "\"id \"\"" + std::to_string(number) + "\"") + "\n";
  }
  for (const aggregate& one :
       std::vector<aggregate>{{aggregate_kind::approx_distinct, "w"},
                              {aggregate_kind::approx_distinct, "v"},
                              {aggregate_kind::approx_quantile, "v", {.digits = 5, .scale = 1}}}) {
    const grouping asked = asking({"month(t)", "prefix(ip, 24)", "floor(v, 20000)"}, {one});
    const auto on_cpu = rows_of(table, asked),
               on_gpu = rows_of(table, asked, group_order::none, {}, device_choice::gpu);
    CHECK(on_cpu.size() == (torture ? on_cpu.size() : 9 * 4 * 5));
    CHECK(answer(on_cpu.begin(), on_cpu.end()) == answer(on_gpu.begin(), on_gpu.end()));
  }
}

TEST_CASE("grouped values: texts, numbers, and doubles of two zeros") {
  const auto one_group = [](const std::string& values, const std::vector<aggregate>& aggregates) {
    std::string table = "k,v\n";
    for (const char c : values) table += c == ' ' ? "\na," : c == '_' ? " " : std::string(1, c);
    const auto rows = rows_of("k,v\na," + table.substr(4) + "\n", asking({"k"}, aggregates));
    REQUIRE(rows.size() == 1);
    return rows[0].second;
  };
  using list = std::vector<std::string>;
  const std::vector<aggregate> any_text = {{aggregate_kind::distinct, "v"}, {aggregate_kind::mode, "v"}};
  CHECK(one_group("1 1.0 01", any_text) == list{"3", "01"});
  CHECK(one_group("1 1.0 2 2.00 2", any_text) == list{"2", std::to_string(2.0)});
  CHECK(one_group("x 1 1.0 x _", any_text) == list{"3", "x"});
  CHECK(one_group("_ ", any_text) == list{"0", "missing"});
  const std::vector<aggregate> numbers = {
      {aggregate_kind::distinct, "v"}, {aggregate_kind::mode, "v"}, {aggregate_kind::median, "v"}};
  CHECK(one_group("01 1 3", numbers) == list{"2", "1", std::to_string(1.0)});
  CHECK(one_group("-0.0 0e0 1e0", numbers) == list{"2", std::to_string(0.0), std::to_string(0.0)});
  CHECK(one_group("1 _ 1", {{aggregate_kind::variance, "v"}, {aggregate_kind::deviation, "v"}}) ==
        list{std::to_string(0.0), std::to_string(0.0)});
  CHECK(one_group("1", {{aggregate_kind::variance, "v"}, {aggregate_kind::deviation, "v"}}) ==
        list{"missing", "missing"});
}

TEST_CASE("grouped values of several columns are those of one run for each") {
  auto random = std::mt19937_64(seed());
  std::string table = "k,v,w\n";
  for (unsigned i = 0; i < (torture ? 300u : 20'000u); ++i) {
    table += std::to_string(random() % 900) + ",";
    if (random() % 4 != 0) table += std::to_string(random() % 30);
    table += std::string(",x") + std::to_string(random() % 3) + "\n";
  }
  const std::vector<aggregate> aggregates = {{aggregate_kind::mode, "w"},
                                             {aggregate_kind::median, "v"},
                                             {aggregate_kind::sum, "v"},
                                             {aggregate_kind::distinct, "w"},
                                             {aggregate_kind::distinct, "k"}};
  answer right;
  for (const aggregate& one : aggregates) {
    for (const auto& [key, cells] : rows_of(table, asking({"k"}, {one}))) right[key].push_back(cells[0]);
  }
  const auto rows = rows_of(table, asking({"k"}, aggregates));
  CHECK(answer(rows.begin(), rows.end()) == right);
}

TEST_CASE("grouped values: rows in order of keys and of the first aggregate") {
  const std::string table = "k,v\nb,1\nb,2\na,1\na,1\nc,\nd,5\nd,6\nd,7\n";
  const auto keys = [&](const std::vector<aggregate>& aggregates, group_order order,
                        std::optional<std::uint64_t> top = {}) {
    std::string all;
    for (const auto& [key, cells] : rows_of(table, asking({"k"}, aggregates), order, top)) all += key;
    return all;
  };
  const std::vector<aggregate> distinct = {{aggregate_kind::distinct, "v"}};
  CHECK(keys(distinct, group_order::key) == "a|b|c|d|");
  CHECK(keys(distinct, group_order::value) == "d|b|a|c|");
  CHECK(keys(distinct, group_order::none, 2) == "d|b|");
  CHECK(keys(distinct, group_order::key, 2) == "b|d|");
  CHECK(keys({{aggregate_kind::mode, "v"}}, group_order::value) == "d|a|b|c|");
  CHECK(keys({{aggregate_kind::count, "v"}, {aggregate_kind::deviation, "v"}}, group_order::value) ==
        "d|a|b|c|");
  const grouping texts = asking({"v"}, {{aggregate_kind::mode, "k"}});
  CHECK_THROWS_AS(rows_of(table, texts, group_order::value), usage_error);
}

}  // namespace duomap::test::apps_tasks_table_grouped_values_test
