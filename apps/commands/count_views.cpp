#include "apps/commands/count_views.hpp"

#include "apps/cli/quantity.hpp"
#include "apps/commands/malformed_lines.hpp"

namespace duomap::apps {

void report_not_views(const not_views& found, const input& logs, worker_pool& pool, run_report& report) {
  if (found.malformed > 0)
    report.notes.push_back(malformed_text(found.malformed, logs, pool) + "; they were not counted");
  if (found.left_out > 0) {
    report.notes.push_back(
        (found.left_out == 1 ? "1 entry was" : count_text(found.left_out) + " entries were") +
        " not counted: no URL, or not of --status and --method");
  }
}

keyed_result<visits_by_page> count_visits(const visit_count& first_pass,
                                          const keyed_result<visit_count>& visits, worker_pool& pool,
                                          run_report& report) {
  run_report between;
  run_report second;
  const auto put_together = run(long_visits{first_pass}, entries_of(visits), pool, {.report = &between});
  auto counts = run(visits_by_page{}, entries_of(visits, put_together), pool, {.report = &second});
  double seconds = 0;
  for (const run_report& one : {between, second}) seconds += one.map_seconds + one.merge_seconds;
  report.notes.push_back("unique: the first pass left " + count_text(visits.size(), "visit") +
                         ", which the second counted by page where they were, in " + duration_text(seconds));
  return counts;
}

}  // namespace duomap::apps
