// A program outside duomap that groups the rows of a table and links only duomap::tasks.
#include <apps/tasks/table/aggregate_tables.hpp>
#include <cpu/machine_pool.hpp>

#include <cstdio>
#include <fstream>
#include <string>
#include <variant>

int main() {
  std::ofstream("readings.csv") << "station,temp\nHam,12.5\nBer,-1.25\nHam,,\nBer,3\n";
  duomap::apps::grouping asked;
  asked.by = {"station"};
  asked.aggregates = {{duomap::apps::aggregate_kind::mean, "temp"}};
  const auto pool = duomap::cpu::machine_pool(0);
  const auto answer = duomap::apps::aggregate_tables(duomap::open_input({"readings.csv"}), asked, *pool);
  std::string rows;
  answer.table->for_each(duomap::apps::group_order::key, std::nullopt, *pool, [&](const auto& cells) {
    rows += std::string(std::get<duomap::byte_view>(cells[0]).text()) + " ";
  });
  std::remove("readings.csv");
  if (rows != "Ber Ham ") {
    std::printf("the stations are %s\n", rows.c_str());
    return 1;
  }
}
