// Tests groups of rows of random tables, on the CPU and on a GPU, against a map filled row by row.
#include "apps/tasks/table/group_rows.hpp"

#include "apps/tasks/table/parse_condition.hpp"
#include "core/config.hpp"
#include "core/verify/verify.hpp"
#include "duomap.hpp"
#include "tests/apps/tasks/table/wrong_numbers.hpp"
#include "tests/catch.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/no_gpu.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace duomap::test::apps_tasks_table_group_rows_test {
namespace {

using namespace duomap::apps;

struct expected_group {
  std::uint64_t rows = 0;
  std::vector<std::int64_t> numbers[2];
};

/// Two key columns and two columns of integers, with quotes, empty fields and bad rows.
struct sample {
  std::string text;
  std::map<std::string, expected_group> groups;
  std::uint64_t bad = 0;
  std::uint64_t first_bad = ~std::uint64_t{0};
};

sample make_sample(std::uint64_t rows, std::mt19937_64& random) {
  const std::vector<std::pair<std::string, std::string>> keys = {
      {"a", "a"},
      {"", ""},
      {"\"x;y\"", "x;y"},
      {"\"q\"\"q\"", "q\"q"},
      {"long key of more than fifteen bytes", "long key of more than fifteen bytes"},
      {"\"\"", ""}};
  sample made;
  for (std::uint64_t i = 0; i < rows; ++i) {
    const auto& [text_a, a] = keys[random() % keys.size()];
    const auto& [text_b, b] = keys[random() % keys.size()];
    const std::uint64_t kind = random() % 40;
    if (kind == 0) made.text += "\n";  // an empty line, which is not a row
    if (kind <= 4) {
      made.first_bad = std::min<std::uint64_t>(made.first_bad, made.text.size());
      ++made.bad;
      made.text += kind == 0   ? "a;b;1;\"2\n"
                   : kind == 1 ? "a;b;1\n"
                   : kind == 2 ? "a;b;1;x\n"
                   : kind == 3 ? "a;b;1.5;2\n"
                               : std::string(200, 'k') + ";" + std::string(200, 'k') + ";1;2\n";
      continue;
    }
    expected_group& group = made.groups[a + "\n" + b];
    ++group.rows;
    made.text += text_a + ";" + text_b;
    for (auto& numbers : group.numbers) {
      made.text += ";";
      if (random() % 5 == 0) continue;
      const auto number =
          static_cast<std::int64_t>(random() >> (random() % 60)) / (random() % 2 == 0 ? 4 : -4);
      numbers.push_back(number);
      made.text += random() % 2 == 0 ? " " + std::to_string(number) : "\"" + std::to_string(number) + "\"";
    }
    made.text += "\n";
  }
  return made;
}

group_rows<4> task_of_sample() {
  group_rows<4> task;
  task.plan.keys = 2;
  task.plan.values = 2;
  for (unsigned i = 0; i < 2; ++i) task.plan.columns[i] = {i, i, column_use::key};
  for (unsigned i = 0; i < 2; ++i) task.plan.columns[2 + i] = {2 + i, i, column_use::value};
  task.plan.delimiter = ';';
  return task;
}

std::uint64_t wrong_rows(const sample& made, keyed_result<group_rows<4>> found) {
  char bytes[most_key_columns];
  const auto faults = found.take(task_of_sample().fault_key(bytes));
  std::uint64_t wrong = (faults ? faults->rows : 0) != made.bad;
  if (faults) wrong += offset_of(faults->least[0]) != made.first_bad;
  wrong += found.size() != made.groups.size();
  for (const auto& [key, group] : made.groups) {
    const auto state = found.find(byte_view(key));
    if (!state) {
      ++wrong;
      continue;
    }
    wrong += state->rows != group.rows;
    for (unsigned v = 0; v < 2; ++v) wrong += wrong_numbers(*state, v, group.numbers[v]);
  }
  return wrong;
}

void check_samples(device_choice device) {
  auto random = std::mt19937_64(seed());
  for (const std::uint64_t rows : {0u, 1u, 7u, 300u, torture ? 1'000u : 60'000u}) {
    const sample made = make_sample(rows, random);
    CAPTURE(rows);
    CHECK(wrong_rows(made, run(task_of_sample(), text_input(made.text), {.device = device})) == 0);
  }
}

}  // namespace

TEST_CASE("groups of rows are those of a map") { check_samples(device_choice::cpu); }

TEST_CASE("groups of rows on a GPU are those of a map", "[gpu][sanitize]") {
  if (no_gpu()) return;
  check_samples(device_choice::gpu);
  check_samples(device_choice::cpu_gpu);
}

TEST_CASE("groups of rows: doubles, and the header of each source") {
  group_rows<1> task;
  task.plan.keys = 1;
  task.plan.values = 1;
  task.plan.columns[0] = {0, 0, column_use::value};
  task.plan.columns[1] = {2, 0, column_use::key};
  task.plan.types[0] = {.real = true};
  task.plan.delimiter = ',';
  task.plan.has_header = true;
  task.plan.header_hash = line_hash("value,,key");
  const std::string text = "value,,key\n1.5e3,,a\n+2,,b\n-0.25,,a\n,,a\n";
  const auto found = run(task, text_input(text), {.device = device_choice::cpu});
  CHECK(found.size() == 2);
  CHECK(found.at("a").rows == 3);
  CHECK(found.at("a").count[0] == 2);
  CHECK(found.at("a").real[0] == 1499.75);
  CHECK(double_of_ordered(found.at("a").least[0]) == -0.25);
  CHECK(double_of_ordered(found.at("b").greatest[0]) == 2);

  const auto other = run(task, text_input("value,,name\n1,,a\n"), {.device = device_choice::cpu});
  CHECK(other.size() == 2);  // the key, and the entry for faults
}

TEST_CASE("groups of rows: a condition decides before a row's other faults") {
  group_rows<1> task;
  task.plan.keys = 1;
  task.plan.values = 1;
  task.plan.columns[0] = {0, 0, column_use::key};
  task.plan.columns[1] = {1, 0, column_use::value};
  task.plan.columns[2] = {1, 0, column_use::comparison};
  task.plan.columns[3] = {2, 1, column_use::comparison};
  task.plan.where = parse_condition("v is not null and c = 'q\"q'").condition;
  const auto found = run(task,
                         text_input("a,1,\"q\"\"q\"\n"  // counted
                                    "a,2,x\n"           // not counted
                                    "a,x,x\n"           // no number, but not to be counted
                                    "a,,\"q\"\"q\"\n"   // the same
                                    "b,x,\"q\"\"q\"\n"  // a fault
                                    "a,1\n"),           // a fault: the condition needs the field
                         {.device = device_choice::cpu});
  char bytes[most_key_columns];
  CHECK(found.size() == 2);
  CHECK(found.at("a").rows == 1);
  CHECK(found.at("a").low[0] == 1);
  CHECK(found.at(task.fault_key(bytes)).rows == 2);
}

TEST_CASE("groups of rows keep the laws") {
  auto random = std::mt19937_64(seed());
  const sample made = make_sample(500, random);
  for (const law_check& law : verify(task_of_sample(), text_input(made.text))) {
    CAPTURE(law.law);
    CHECK(law.holds());
  }
}

}  // namespace duomap::test::apps_tasks_table_group_rows_test
