// Groups the rows of tables for programs.
#include "apps/tasks/table/aggregate_tables.hpp"

#include "apps/tasks/table/run_grouping.hpp"
#include "duomap.hpp"

#include <optional>
#include <utility>

namespace duomap::apps {

table_answer aggregate_tables(input from, const grouping& asked, worker_pool& pool,
                              const table_options& options) {
  opened_tables opened = open_tables(std::move(from), asked, options.run.control);
  table_answer answer;
  run_options how = options.run;
  how.device = device_for(opened.layout.plan.format, asked, how.device, answer.notes);
  group_outcome outcome =
      run_grouping(opened, asked, options.deterministic, answer.notes, pool,
                   [&](const auto& task) { return std::optional(run(task, opened.tables, pool, how)); });
  answer.bad_rows = outcome.faults.rows;
  if (answer.bad_rows > 0)
    note_or_throw_faults(outcome.faults, fault_text(outcome.faults, opened.layout, asked, opened.tables),
                         options.drop_bad_rows, "drop_bad_rows", answer.notes);
  answer.table = std::move(outcome.table);
  return answer;
}

}  // namespace duomap::apps
