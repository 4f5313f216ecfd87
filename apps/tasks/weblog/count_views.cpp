// Reports the lines of logs that are not counted as views.
#include "apps/tasks/weblog/count_views.hpp"

#include "apps/report/quantity.hpp"
#include "apps/tasks/weblog/malformed_lines.hpp"
#include "core/error.hpp"

namespace duomap::apps {

void report_not_views(const uncounted_lines& found, const opened_logs& from, worker_pool& pool,
                      run_report& report) {
  if (found.malformed > 0)
    report.notes.push_back(malformed_text(found.malformed, from.logs, from.format, pool) +
                           (found.malformed == 1 ? "; it was not counted" : "; they were not counted"));
  if (found.left_out > 0) {
    report.notes.push_back(
        (found.left_out == 1 ? "1 entry was" : count_text(found.left_out) + " entries were") +
        " not counted: no URL, or not of --status and --method" +
        (found.no_request > 0 ? "; " + count_text(found.no_request) + " of these " +
                                    (found.no_request == 1 ? "is" : "are") + " no request of HTTP"
                              : std::string()));
  }
}

void require_fitting(const uncounted_lines& found, std::uint64_t entries, const opened_logs& from,
                     worker_pool& pool) {
  if (found.malformed > entries)
    throw input_error(misfit_text(found.malformed, found.malformed + entries, from.logs, from.format, pool));
}

}  // namespace duomap::apps
