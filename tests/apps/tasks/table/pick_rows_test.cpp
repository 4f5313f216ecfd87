// Tests picks of the rows of random tables against sorted lists of each group's rows.
#include "apps/tasks/table/pick_rows.hpp"

#include "core/config.hpp"
#include "core/verify/verify.hpp"
#include "duomap.hpp"
#include "tests/catch.hpp"
#include "tests/support/inputs.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace duomap::test::apps_tasks_table_pick_rows_test {
namespace {

using namespace duomap::apps;

constexpr std::uint64_t best_rows = 5;

struct table_row {
  std::int64_t place;
  std::optional<std::int64_t> number;
  bool has_value;
};

struct sample_table {
  std::string text;
  std::map<std::string, std::vector<table_row>> groups;
};

/// Rows "key,number,value", in which a number or a value may be missing. Few numbers make many equal ones.
sample_table make_table(std::uint64_t rows, std::int64_t numbers, std::mt19937_64& random) {
  sample_table made;
  for (std::uint64_t i = 0; i < rows; ++i) {
    const std::string key = std::to_string(random() % 7);
    table_row row{row_place(0, made.text.size()), std::nullopt, random() % 5 != 0};
    if (random() % 5 != 0) row.number = static_cast<std::int64_t>(random()) % numbers;
    made.groups[key].push_back(row);
    made.text += key + "," + (row.number ? std::to_string(*row.number) : "") + "," +
                 (row.has_value ? "x" : " ") + "\n";
  }
  return made;
}

pick_rows<1, 16> task_of_table() {
  pick_rows<1, 16> task;
  task.grouped.plan.keys = 1;
  task.grouped.plan.values = 1;
  task.grouped.plan.picked = 1;
  task.grouped.plan.columns[0] = {0, 0, column_use::key};
  task.grouped.plan.columns[1] = {1, 0, column_use::value};
  task.grouped.plan.columns[2] = {2, 0, column_use::picked};
  const auto add = [&](pick_order order, bool skips_missing, unsigned rows) {
    row_pick& pick = task.picks.picks[task.picks.count++];
    pick.order = order;
    pick.skips_missing = skips_missing;
    pick.first_row = static_cast<unsigned char>(task.picks.rows);
    pick.rows = static_cast<unsigned char>(rows);
    task.picks.rows += rows;
  };
  add(pick_order::first, false, 1);
  add(pick_order::last, false, 1);
  add(pick_order::first, true, 1);
  add(pick_order::least, true, best_rows);
  add(pick_order::greatest, true, best_rows);
  add(pick_order::greatest, false, 1);
  return task;
}

/// The places of the rows that a pick prefers, the best one first.
std::vector<std::int64_t> best_of(std::vector<table_row> rows, const row_pick& pick) {
  std::erase_if(rows, [&](const table_row& row) {
    const bool by_number = pick.order == pick_order::least || pick.order == pick_order::greatest;
    return (pick.skips_missing && !row.has_value) || (by_number && !row.number);
  });
  std::ranges::stable_sort(rows, [&](const table_row& a, const table_row& b) {
    if (pick.order == pick_order::first) return a.place < b.place;
    if (pick.order == pick_order::last) return a.place > b.place;
    return pick.order == pick_order::least ? *a.number < *b.number : *a.number > *b.number;
  });
  std::vector<std::int64_t> places;
  for (const table_row& row : rows) places.push_back(row.place);
  places.resize(pick.rows, picked_row::no_place);
  return places;
}

}  // namespace

TEST_CASE("picked rows are the best ones of sorted rows") {
  auto random = std::mt19937_64(seed());
  for (const std::uint64_t rows : {1u, 9u, 300u, torture ? 600u : 60'000u}) {
    for (const std::int64_t numbers : {2, 1'000'000}) {
      const sample_table made = make_table(rows, numbers, random);
      const pick_rows<1, 16> task = task_of_table();
      const auto found = run(task, text_input(made.text), {.device = device_choice::cpu});
      std::uint64_t wrong = found.size() != made.groups.size();
      for (const auto& [key, group] : made.groups) {
        const auto state = found.find(byte_view(key));
        REQUIRE(state);
        wrong += state->numbers.rows != group.size();
        for (unsigned p = 0; p < task.picks.count; ++p) {
          const row_pick& pick = task.picks.picks[p];
          const std::vector<std::int64_t> right = best_of(group, pick);
          for (unsigned i = 0; i < pick.rows; ++i) wrong += state->rows[pick.first_row + i].place != right[i];
        }
      }
      CAPTURE(rows, numbers);
      CHECK(wrong == 0);
    }
  }
}

TEST_CASE("picked rows: a negative zero equals zero, and a row at fault is not picked") {
  pick_rows<1, 16> task = task_of_table();
  task.grouped.plan.types[0] = {.real = true};
  const std::string text = "a,0.0,x\na,-0.0,y\na,z,z\na,0.0\n";
  const auto found = run(task, text_input(text), {.device = device_choice::cpu});
  const auto state = found.at("a");
  const unsigned least = task.picks.picks[3].first_row, greatest = task.picks.picks[4].first_row;
  for (const unsigned pick : {least, greatest}) {
    CHECK(state.rows[pick].place == 0);
    CHECK(state.rows[pick + 1].place == 8);
    CHECK(!state.rows[pick + 2].is_row());
  }
  CHECK(state.rows[task.picks.picks[1].first_row].place == 8);
  char bytes[most_key_columns];
  CHECK(found.at(task.fault_key(bytes)).numbers.rows == 2);
}

TEST_CASE("picks of rows keep the laws") {
  auto random = std::mt19937_64(seed());
  for (const law_check& law : verify(task_of_table(), text_input(make_table(500, 3, random).text))) {
    CAPTURE(law.law);
    CHECK(law.holds());
  }
}

}  // namespace duomap::test::apps_tasks_table_pick_rows_test
