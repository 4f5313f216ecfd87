// Groups the rows of tables, for programs of your own:
// SELECT keys, aggregates ... FROM tables WHERE condition GROUP BY keys.
// host only
#pragma once

#include "apps/tasks/table/grouped_table.hpp"
#include "apps/tasks/table/grouping.hpp"
#include "core/input/input.hpp"
#include "core/run_options.hpp"
#include "core/worker_pool.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace duomap::apps {

struct table_options {
  run_options run = {};
  bool deterministic = false;  ///< the same bits on all devices
  bool drop_bad_rows = false;  ///< leaves out rows that cannot be read, instead of an error
};

struct table_answer {
  std::unique_ptr<grouped_table> table;
  std::uint64_t bad_rows = 0;      ///< rows that were left out
  std::vector<std::string> notes;  ///< sentences for the user
};

/// Groups the rows of tables of one layout. Their format, header, delimiter and types are found in the first
/// rows, unless `asked` gives them.
///
///   duomap::apps::grouping asked;
///   asked.by = {"station"};
///   asked.aggregates = {{duomap::apps::aggregate_kind::mean, "temp"}};
///   const auto pool = duomap::cpu::machine_pool(0);
///   const auto answer = duomap::apps::aggregate_tables(duomap::open_input({"readings.csv"}), asked, *pool);
///
/// @throws usage_error for columns that the tables do not have; input_error, which names the file and the
/// line, for rows that cannot be read; as run() of duomap.hpp
[[nodiscard]] table_answer aggregate_tables(input from, const grouping& asked, worker_pool& pool,
                                            const table_options& options = {});

}  // namespace duomap::apps
