// Tests apps/tasks/table/aggregate_tables.hpp: the answer, its order, bad rows and errors.
#include "apps/tasks/table/aggregate_tables.hpp"

#include "core/error.hpp"
#include "cpu/machine_pool.hpp"
#include "tests/catch.hpp"
#include "tests/support/inputs.hpp"

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace duomap::test::apps_tasks_table_aggregate_tables_test {
namespace {

using apps::aggregate_kind;

const char* const readings = "station,temp\nHam,12.5\nBer,-1.25\nHam,,\nBer,3\nOsl,7\n";

apps::grouping by_station() {
  apps::grouping asked;
  asked.by = {"station"};
  asked.aggregates = {{aggregate_kind::rows, ""}, {aggregate_kind::greatest, "temp"}};
  return asked;
}

std::vector<std::string> stations(const apps::table_answer& answer, apps::group_order order,
                                  std::optional<std::uint64_t> top, worker_pool& pool) {
  std::vector<std::string> keys;
  answer.table->for_each(order, top, pool, [&](std::span<const cell> cells) {
    REQUIRE(cells.size() == 3);
    keys.emplace_back(std::get<byte_view>(cells[0]).text());
  });
  return keys;
}

}  // namespace

TEST_CASE("tables of a program: groups, their order and the first ones") {
  const auto pool = cpu::machine_pool(2);
  const auto answer = apps::aggregate_tables(text_input(readings), by_station(), *pool,
                                             {.run = {.device = device_choice::cpu}});
  CHECK(answer.table->size() == 3);
  CHECK(answer.bad_rows == 0);
  using list = std::vector<std::string>;
  CHECK(stations(answer, apps::group_order::key, std::nullopt, *pool) == list{"Ber", "Ham", "Osl"});
  CHECK(stations(answer, apps::group_order::value, 1, *pool).size() == 1);
}

TEST_CASE("tables of a program: a condition, and rows that cannot be read") {
  const auto pool = cpu::machine_pool(2);
  const apps::table_options on_cpu{.run = {.device = device_choice::cpu}};
  apps::grouping asked = by_station();
  asked.where = "temp > 0";
  CHECK(apps::aggregate_tables(text_input(readings), asked, *pool, on_cpu).table->size() == 3);
  asked.where = "temp > 5";
  CHECK(apps::aggregate_tables(text_input(readings), asked, *pool, on_cpu).table->size() == 2);

  const std::string broken = std::string(readings) + "Osl,warm\n";
  CHECK_THROWS_AS(apps::aggregate_tables(text_input(broken), by_station(), *pool, on_cpu), input_error);
  const auto answer = apps::aggregate_tables(text_input(broken), by_station(), *pool,
                                             {.run = {.device = device_choice::cpu}, .drop_bad_rows = true});
  CHECK(answer.bad_rows == 1);
  REQUIRE(answer.notes.size() == 1);
  CHECK(answer.notes[0].find("warm") != std::string::npos);
  asked.by = {"town"};
  CHECK_THROWS_AS(apps::aggregate_tables(text_input(readings), asked, *pool, on_cpu), usage_error);
}

TEST_CASE("tables of a program: values of picked rows, which are found on the CPU") {
  const auto pool = cpu::machine_pool(2);
  apps::grouping asked = by_station();
  asked.aggregates = {{aggregate_kind::argmax, "station", {}, "temp"}, {aggregate_kind::last, "temp"}};
  const auto answer = apps::aggregate_tables(text_input(readings), asked, *pool);
  CHECK(answer.table->is_text(0));
  CHECK(!answer.table->is_text(1));
  CHECK(answer.notes == std::vector<std::string>{"no GPU used: argmax(station,temp) is found on the CPU"});
  CHECK(stations(answer, apps::group_order::key, std::nullopt, *pool).size() == 3);
  const apps::table_options on_gpu{.run = {.device = device_choice::gpu}};
  CHECK_THROWS_AS(apps::aggregate_tables(text_input(readings), asked, *pool, on_gpu), device_unavailable);
}

}  // namespace duomap::test::apps_tasks_table_aggregate_tables_test
