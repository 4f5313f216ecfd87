// Tests apps/tasks/table/group_rows.hpp with random JSON Lines, on the CPU, against a map filled row by row.
#include "apps/tasks/table/group_rows.hpp"
#include "apps/tasks/table/table_layout.hpp"
#include "core/config.hpp"
#include "core/verify/verify.hpp"
#include "duomap.hpp"
#include "tests/apps/tasks/table/wrong_numbers.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace duomap::test::apps_tasks_table_group_rows_json_test {
namespace {

using namespace duomap::apps;

struct expected_group {
  std::uint64_t rows = 0;
  std::vector<std::int64_t> numbers;
};

/// Rows with two keys, one of them nested, and a number, which only rows with a city count.
struct json_sample {
  std::string text;
  std::map<std::string, expected_group> groups;
  std::uint64_t bad = 0;
};

json_sample make_json_sample(std::uint64_t rows, std::mt19937_64& random) {
  const std::vector<std::pair<std::string, std::string>> keys = {
      {R"("a")", "a"},
      {R"("\u0061\\\"")", "a\\\""},
      {R"("a key of more than fifteen bytes")", "a key of more than fifteen bytes"},
      {R"("\ud83d\ude00")", "\xF0\x9F\x98\x80"},
      {R"("a\nb")",
       "a\xFF"
       "b"},
      {"null", ""},
      {"1.50", "1.50"},
      {R"(["a", {}])", R"(["a", {}])"}};
  const std::vector<std::string> faults = {R"({"a":"x","n":{"b":"x"},"c":1,"v":"5"})",
                                           "{\"a\":\"x\xFF\",\"c\":1}",
                                           R"({"c":1,"v":[1})",
                                           R"({"c":1,"v":01})",
                                           R"(x)",
                                           R"({"a":")" + std::string(300, 'k') + R"(","c":1})"};
  json_sample made;
  for (std::uint64_t i = 0; i < rows; ++i) {
    if (random() % 20 == 0) made.text += random() % 2 == 0 ? "\n" : " \r\n";
    if (random() % 20 == 0) {
      made.text += faults[random() % faults.size()] + "\n";
      ++made.bad;
      continue;
    }
    const auto& [text_a, a] = keys[random() % keys.size()];
    const auto& [text_b, b] = keys[random() % keys.size()];
    std::vector<std::string> members = {R"("a":)" + text_a, R"( "n" : {"x":[{"b":1}],"b":)" + text_b + "}"};
    const bool counted = random() % 4 != 0;
    if (counted) members.push_back(R"("c":")" + std::string(random() % 20, 'c') + "\"");
    if (random() % 2 == 0) members.push_back(R"("other":["}","\"",{"a":"x"}])");
    expected_group ignored;
    expected_group& group = counted ? made.groups[a + "\n" + b] : ignored;
    ++group.rows;
    if (random() % 5 != 0) {
      const auto number =
          static_cast<std::int64_t>(random() >> (random() % 60)) / (random() % 2 == 0 ? 4 : -4);
      group.numbers.push_back(number);
      members.push_back(R"("v":)" + std::to_string(number));
    }
    std::shuffle(members.begin(), members.end(), random);
    made.text += "{";
    for (std::size_t m = 0; m < members.size(); ++m) made.text += (m > 0 ? "," : "") + members[m];
    made.text += random() % 2 == 0 ? "}\n" : " } \r\n";
  }
  return made;
}

group_rows<1> json_task() {
  grouping asked;
  asked.by = {"a", "n.b"};
  asked.aggregates = {{aggregate_kind::sum, "v"}};
  asked.where = "c is not null";
  asked.format = row_format::json_lines;
  return {find_table_layout(byte_view("{}\n"), false, "sample", asked).plan};
}

std::uint64_t wrong_groups(const json_sample& made, keyed_result<group_rows<1>> found) {
  char bytes[most_key_columns];
  const auto faults = found.take(json_task().fault_key(bytes));
  std::uint64_t wrong = (faults ? faults->rows : 0) != made.bad;
  wrong += found.size() != made.groups.size();
  for (const auto& [key, group] : made.groups) {
    const auto state = found.find(byte_view(key));
    if (!state) {
      ++wrong;
      continue;
    }
    wrong += state->rows != group.rows;
    wrong += wrong_numbers(*state, 0, group.numbers);
  }
  return wrong;
}

void check_json_samples() {
  auto random = std::mt19937_64(seed());
  for (const std::uint64_t rows : {0u, 1u, 7u, 300u, torture ? 1'000u : 40'000u}) {
    const json_sample made = make_json_sample(rows, random);
    CAPTURE(rows);
    CHECK(wrong_groups(made, run(json_task(), text_input(made.text), {.device = device_choice::cpu})) == 0);
  }
}

}  // namespace

TEST_CASE("groups of JSON rows are those of a map") { check_json_samples(); }

TEST_CASE("groups of JSON rows keep the laws") {
  auto random = std::mt19937_64(seed());
  const json_sample made = make_json_sample(500, random);
  for (const law_check& law : verify(json_task(), text_input(made.text))) {
    CAPTURE(law.law);
    CHECK(law.holds());
  }
}

}  // namespace duomap::test::apps_tasks_table_group_rows_json_test
