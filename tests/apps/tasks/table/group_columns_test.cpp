// Tests groups of rows of random columns in random batches against a map filled row by row, keys of columns,
// and columns that do not fit.
#include "apps/tasks/table/group_columns.hpp"

#include "apps/tasks/table/group_batches.hpp"
#include "core/config.hpp"
#include "duomap.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace duomap::test::apps_tasks_table_group_columns_test {
namespace {

using namespace duomap::apps;

/// A column of values that may be missing, and its memory. Row 0 is not at the beginning of the memory.
struct made_column {
  std::vector<std::uint8_t> valid;
  std::string values;
  std::string bytes;
  column_view view;

  template <class T>
  static made_column of_numbers(column_kind kind, const std::vector<std::optional<T>>& from) {
    made_column made;
    made.begin(kind, from.size());
    made.values.assign(skipped * sizeof(T), '\x55');
    for (std::size_t i = 0; i < from.size(); ++i) {
      const T value = from[i].value_or(T{});
      made.values.append(reinterpret_cast<const char*>(&value), sizeof value);
      if (from[i]) made.mark(i);
    }
    return made;
  }
  static made_column of_texts(const std::vector<std::optional<std::string>>& from) {
    made_column made;
    made.begin(column_kind::texts, from.size());
    made.bytes = "....";
    for (std::size_t i = 0; i <= skipped + from.size(); ++i) {
      const auto end = static_cast<std::int32_t>(made.bytes.size());
      made.values.append(reinterpret_cast<const char*>(&end), sizeof end);
      if (i < skipped || i == skipped + from.size()) continue;
      made.bytes += from[i - skipped].value_or("");
      if (from[i - skipped]) made.mark(i - skipped);
    }
    return made;
  }
  [[nodiscard]] column_view pointers() const {
    column_view found = view;
    found.valid = valid.data();
    found.values = values.data();
    found.bytes = bytes.data();
    return found;
  }

 private:
  static constexpr std::size_t skipped = 3;

  void begin(column_kind kind, std::size_t rows) {
    view.kind = kind;
    view.first = skipped;
    valid.assign((skipped + rows + 7) / 8, 0);
  }
  void mark(std::size_t row) {
    valid[(skipped + row) / 8] |= static_cast<std::uint8_t>(1u << ((skipped + row) % 8));
  }
};

using texts = std::vector<std::optional<std::string>>;

batch_plan plan_of(std::vector<key_form> forms) {
  batch_plan plan;
  plan.keys.count = static_cast<unsigned>(forms.size());
  std::ranges::copy(forms, plan.keys.forms);
  return plan;
}

/// The values of the key columns of each row, after they were written and read.
std::vector<std::vector<std::optional<std::string>>> keys_again(const std::vector<made_column>& columns,
                                                                const key_layout& layout,
                                                                std::uint64_t rows) {
  std::vector<column_view> views;
  for (const made_column& one : columns) views.push_back(one.pointers());
  std::vector<std::vector<std::optional<std::string>>> all;
  std::string made;
  for (std::uint64_t row = 0; row < rows; ++row) {
    const std::string key(layout.key_of(views.data(), row, made).text());
    all.emplace_back(columns.size());
    layout.for_each_value(byte_view(key), [&](unsigned k, const key_value& value) {
      if (value.null) return;
      all.back()[k] = layout.forms[k].text ? std::string(value.text.text()) : std::to_string(value.number);
    });
  }
  return all;
}

/// A key column, a condition column and two value columns, in random batches.
struct random_table {
  std::vector<std::vector<made_column>> batches;
  std::vector<std::uint64_t> rows;
  struct group {
    std::uint64_t rows = 0;
    std::uint64_t count = 0;
    wide_number sum = 0;
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    double real = 0;
  };
  std::map<std::optional<std::string>, group> groups;
};

random_table make_table(std::uint64_t batches, std::mt19937_64& random) {
  const texts keys = {
      "a",        "",     std::nullopt,         "\xff",
      "\xff\xff", "a\nb", std::string("\0", 1), "a long key, which stands outside of the slots of the table"};
  random_table made;
  for (std::uint64_t b = 0; b < batches; ++b) {
    const std::uint64_t rows = random() % (torture ? 40 : 3000);
    texts key;
    std::vector<std::optional<std::int64_t>> whole;
    std::vector<std::optional<double>> real;
    std::vector<std::optional<std::int16_t>> chosen;
    for (std::uint64_t i = 0; i < rows; ++i) {
      key.push_back(keys[random() % keys.size()]);
      whole.push_back(static_cast<std::int64_t>(random() >> (random() % 60)));
      real.push_back(static_cast<double>(random() % 1000));
      chosen.push_back(static_cast<std::int16_t>(random() % 7));
      if (random() % 4 == 0) whole.back().reset();
      if (random() % 4 == 0) real.back().reset();
      if (random() % 4 == 0) chosen.back().reset();
      if (!chosen.back() || *chosen.back() < 3) continue;
      random_table::group& group = made.groups[key.back()];
      ++group.rows;
      if (whole.back()) {
        ++group.count;
        group.sum += *whole.back();
        group.least = std::min(group.least, *whole.back());
      }
      group.real += real.back().value_or(0);
    }
    made.rows.push_back(rows);
    made.batches.push_back({made_column::of_texts(key), made_column::of_numbers(column_kind::int64, whole),
                            made_column::of_numbers(column_kind::float64, real),
                            made_column::of_numbers(column_kind::int16, chosen)});
  }
  return made;
}

grouping asked_of_table() {
  grouping asked;
  asked.by = {"key"};
  asked.aggregates = {{aggregate_kind::rows, ""},
                      {aggregate_kind::count, "whole"},
                      {aggregate_kind::mean, "whole"},
                      {aggregate_kind::least, "whole"},
                      {aggregate_kind::sum, "real"}};
  asked.where = "chosen >= 2.5";
  return asked;
}

std::vector<column_type> types_of_table() {
  return {{.name = "key", .type = "text", .text = true},
          {.name = "whole", .type = "int64", .kind = column_kind::int64},
          {.name = "real", .type = "double", .kind = column_kind::float64},
          {.name = "chosen", .type = "int16", .kind = column_kind::int16},
          {.name = "day", .type = "date32", .time = true, .kind = column_kind::int32},
          {.name = "map", .type = "a map", .known = false}};
}

/// Groups the table, with `together` batches in a run.
std::uint64_t wrong_groups(const random_table& made, std::uint64_t together) {
  const grouping asked = asked_of_table();
  const batch_layout layout = find_batch_layout(types_of_table(), asked);
  const auto pool = cpu::machine_pool(0);
  std::uint64_t at = 0;
  const auto next = [&]() -> std::optional<column_batches> {
    if (at == made.rows.size()) return std::nullopt;
    column_batches some;
    for (std::uint64_t i = 0; i < together && at < made.rows.size(); ++i, ++at) {
      some.rows.push_back(made.rows[at]);
      for (const std::uint32_t column : layout.columns)
        some.columns.push_back(made.batches[at][column].pointers());
    }
    return some;
  };
  const auto found = group_batches(layout, asked, *pool, next, [&](const auto& task, const input& from) {
    return run(task, from, *pool, {.device = device_choice::cpu});
  });
  std::uint64_t wrong = found->size() != made.groups.size();
  found->for_each(group_order::none, std::nullopt, *pool, [&](std::span<const cell> cells) {
    std::optional<std::string> key;
    layout.plan.keys.for_each_value(std::get<byte_view>(cells[0]), [&](unsigned, const key_value& value) {
      if (!value.null) key = std::string(value.text.text());
    });
    const auto group = made.groups.find(key);
    if (group == made.groups.end()) {
      ++wrong;
      return;
    }
    const random_table::group& right = group->second;
    wrong += std::get<std::uint64_t>(cells[1]) != right.rows;
    wrong += std::get<std::uint64_t>(cells[2]) != right.count;
    if (right.count > 0) {
      wrong += std::get<double>(cells[3]) != static_cast<double>(static_cast<long double>(right.sum) /
                                                                 static_cast<long double>(right.count));
      wrong += std::get<std::int64_t>(cells[4]) != right.least;
    }
    if (const double* const sum = std::get_if<double>(&cells[5])) wrong += *sum != right.real;
  });
  return wrong;
}

bool refused(const grouping& asked, const std::string& why) {
  try {
    static_cast<void>(find_batch_layout(types_of_table(), asked));
  } catch (const usage_error& problem) {
    CAPTURE(problem.what());
    return std::string(problem.what()).find(why) != std::string::npos;
  }
  return false;
}

}  // namespace

TEST_CASE("groups of batches of columns are those of a map") {
  auto random = std::mt19937_64(seed());
  for (const std::uint64_t batches : {0u, 1u, 2u, 9u, 40u}) {
    const random_table made = make_table(batches, random);
    for (const std::uint64_t together : {1u, 3u, 100u}) {
      CAPTURE(batches, together);
      CHECK(wrong_groups(made, together) == 0);
    }
  }
}

TEST_CASE("keys of columns are read as they were written") {
  const texts words = {"a", std::nullopt, "", "\xff", "\xff\xff z", std::string(300, 'x'), "a\nb"};
  const std::vector<std::optional<std::int8_t>> small = {-1, 5, std::nullopt, -128, 127, 0, 1};
  const std::vector<std::optional<std::uint32_t>> large = {4294967295u, 0, 1, std::nullopt, 2, 3, 4};
  const std::vector<made_column> columns = {
      made_column::of_texts(words), made_column::of_numbers(column_kind::int8, small),
      made_column::of_texts(words), made_column::of_numbers(column_kind::uint32, large)};
  const batch_plan plan =
      plan_of({{.text = true}, {.is_signed = true, .width = 1}, {.text = true}, {.width = 4}});
  const auto all = keys_again(columns, plan.keys, words.size());
  for (std::size_t i = 0; i < words.size(); ++i) {
    CAPTURE(i);
    CHECK(all[i][0] == words[i]);
    CHECK(all[i][1] == (small[i] ? std::optional(std::to_string(*small[i])) : std::nullopt));
    CHECK(all[i][2] == words[i]);
    CHECK(all[i][3] == (large[i] ? std::optional(std::to_string(*large[i])) : std::nullopt));
  }
  const auto single =
      keys_again({made_column::of_texts(words)}, plan_of({{.text = true}}).keys, words.size());
  for (std::size_t i = 0; i < words.size(); ++i) CHECK(single[i][0] == words[i]);
  const auto number = keys_again({made_column::of_numbers(column_kind::int8, small)},
                                 plan_of({{.is_signed = true, .width = 1}}).keys, small.size());
  CHECK(number[0][0] == "-1");
  CHECK(number[2][0] == std::nullopt);
}

TEST_CASE("comparisons of columns with constants") {
  const auto matches = [](const made_column& column, const std::string& condition, std::uint64_t rows) {
    const row_condition where = parse_condition(condition).condition;
    std::vector<std::uint32_t> results(rows, 0);
    compare_rows(column.pointers(), 0, rows, where, 0, results.data());
    std::string found;
    for (const std::uint32_t one : results) found += where.holds(one) ? '1' : '0';
    return found;
  };
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const auto real =
      made_column::of_numbers<double>(column_kind::float64, {0.1, nan, std::nullopt, -0.0, 1e300});
  CHECK(matches(real, "x = 0.1", 5) == "10000");
  CHECK(matches(real, "x > 1e299", 5) == "01001");
  CHECK(matches(real, "x = 0", 5) == "00010");
  CHECK(matches(real, "x is null", 5) == "00100");
  CHECK(matches(real, "x is not null", 5) == "11011");
  const auto large = made_column::of_numbers<std::uint64_t>(
      column_kind::uint64, {18446744073709551615u, 9223372036854775808u, 0, std::nullopt});
  CHECK(matches(large, "x > 9223372036854775807", 4) == "1100");
  CHECK(matches(large, "x >= 18446744073709551615", 4) == "1000");
  CHECK(matches(large, "x < 0.5", 4) == "0010");
  auto decimal = made_column::of_numbers<wide_number>(
      column_kind::decimal128, {125, -125, std::nullopt, wide_number{1} << 120, -(wide_number{1} << 120)});
  decimal.view.scale = 2;
  CHECK(matches(decimal, "x = 1.25", 5) == "10000");
  CHECK(matches(decimal, "x = 1.250000000000000000", 5) == "10000");
  CHECK(matches(decimal, "x > 0.000000000000000001", 5) == "10010");
  CHECK(matches(decimal, "x < 1e10", 5) == "11001");
  const auto half =
      made_column::of_numbers<std::uint16_t>(column_kind::float16, {0x3c00, 0xbc00, 0x0001, 0x7c00});
  CHECK(matches(half, "x = 1", 4) == "1000");
  CHECK(matches(half, "x < 0.00000006", 4) == "0110");
  CHECK(matches(half, "x > 65504", 4) == "0001");
  const auto words = made_column::of_texts({"b", "", std::nullopt, "ba", "a\n"});
  CHECK(matches(words, "x >= 'b'", 5) == "10010");
  CHECK(matches(words, "x < 'b'", 5) == "01001");
  CHECK(matches(words, "x != 'b'", 5) == "01011");
}

TEST_CASE("a number beyond 64 bits names its row, unless the condition leaves the row out") {
  const std::vector<std::optional<std::uint64_t>> numbers = {1, std::uint64_t{1} << 63, 3};
  const auto values = made_column::of_numbers(column_kind::uint64, numbers);
  const std::vector<column_type> types = {{.name = "v", .type = "uint64", .kind = column_kind::uint64}};
  grouping asked;
  asked.by = {"v"};
  asked.aggregates = {{aggregate_kind::sum, "v"}};
  const auto group = [&] {
    const batch_layout layout = find_batch_layout(types, asked);
    const auto pool = cpu::machine_pool(1);
    unsigned left = 2;
    const auto next = [&]() -> std::optional<column_batches> {
      if (left == 0) return std::nullopt;
      --left;
      return column_batches{.rows = {left == 1 ? 1u : 3u},
                            .columns = std::vector<column_view>(layout.columns.size(), values.pointers())};
    };
    return group_batches(layout, asked, *pool, next,
                         [&](const auto& task, const input& from) {
                           return run(task, from, *pool, {.device = device_choice::cpu});
                         })
        ->size();
  };
  CHECK_THROWS_WITH(group(), contains("row 2, counted from 0: the number in column 'v' is beyond 64 bits"));
  asked.where = "v < 9";
  CHECK(group() == 2);
}

TEST_CASE("columns that do not exist, or do not fit their use, are refused") {
  grouping asked = asked_of_table();
  const auto with = [&](const auto& change, const std::string& why) {
    grouping other = asked;
    change(other);
    CHECK(refused(other, why));
  };
  with([](grouping& one) { one.by = {"nope"}; },
       "no column 'nope'; it has 6: key, whole, real, chosen, day, map");
  with([](grouping& one) { one.by = {"7"}; }, "no column '7'");
  with([](grouping& one) { one.by = {"real"}; }, "'real' has the type double, which is no key");
  with([](grouping& one) { one.by = {"map"}; }, "'map' has the type a map, which is no key");
  with([](grouping& one) { one.by = {}; }, "needs the column of its keys");
  with([](grouping& one) { one.aggregates = {{aggregate_kind::sum, "key"}}; }, "has no numbers");
  with([](grouping& one) { one.aggregates = {{aggregate_kind::least, "day"}}; }, "has no numbers");
  with([](grouping& one) { one.where = "key > 1"; }, "compares it with a number");
  with([](grouping& one) { one.where = "whole = '1'"; }, "compares it with a text");
  with([](grouping& one) { one.where = "day > 1"; }, "which no condition compares");
  with([](grouping& one) { one.where = "map is null"; }, "not read here");
  asked.by = {"5", "1"};
  asked.where = "day is null or key = 'x'";
  CHECK(find_batch_layout(types_of_table(), asked).columns == std::vector<std::uint32_t>{4, 0, 1, 2, 4, 0});
}

}  // namespace duomap::test::apps_tasks_table_group_columns_test
