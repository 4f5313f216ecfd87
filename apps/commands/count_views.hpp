// The views of each page, by one pass or two chained ones: what page view count and page view rank share.
// host only
#pragma once

#include "apps/cli/app.hpp"
#include "apps/cli/run_options.hpp"
#include "apps/cli/verify_laws.hpp"
#include "apps/commands/malformed_lines.hpp"
#include "apps/commands/view_options.hpp"
#include "apps/tasks/weblog/chained_tasks.hpp"
#include "apps/tasks/weblog/page_views.hpp"
#include "core/early_stop.hpp"
#include "core/error.hpp"
#include "core/verify/verify.hpp"
#include "duomap.hpp"

#include <cstdint>

namespace duomap::apps {

/// Lines of the first pass that are no views.
struct not_views {
  std::uint64_t malformed = 0;
  std::uint64_t left_out = 0;
};

/// Takes them out of the first pass's result, where they stand under two keys.
template <class Task>
[[nodiscard]] not_views take_not_views(keyed_result<Task>& counts) {
  return {counts.take(byte_view{"", 0}).value_or(0), counts.take(byte_view{" ", 1}).value_or(0)};
}

/// Adds to the report what was not counted, and why.
void report_not_views(const not_views& found, const input& logs, worker_pool& pool, run_report& report);

/// The second pass: the views of each page out of the first one's visits. The report gets a note of it.
[[nodiscard]] keyed_result<visits_by_page> count_visits(const visit_count& first_pass,
                                                        const keyed_result<visit_count>& visits,
                                                        worker_pool& pool, run_report& report);

/// Counts and calls use(keyed_result of page -> views, pool); returns the report, `results` included.
template <class Use>
[[nodiscard]] run_report count_views(run_context& context, const view_options& views, const Use& use) {
  const run_options& options = context.options;
  const input logs = input_of(options);
  const auto pool = cpu::machine_pool(options.threads.value_or(0), logs);
  run_report report;
  const auto first_pass = [&](const auto& task) {
    if (options.verify) report_laws(verify(task, logs));
    auto strict = task;
    strict.strict = options.strict;
    try {
      auto counts = run(strict, logs, *pool, job_options_for(options, context.control, report));
      const not_views found = take_not_views(counts);
      // What a GPU maps a second time for want of room may come behind its last look at `stop`.
      if (options.strict && found.malformed > 0)
        throw input_error(malformed_text(found.malformed, logs, *pool) +
                          "; --strict makes that an error, and nothing was written");
      report_not_views(found, logs, *pool, report);
      return counts;
    } catch (const stopped_by_map& malformed) {
      throw input_error(strict_text(malformed, logs, *pool));
    }
  };
  if (!views.unique) {
    const auto counts = first_pass(request_count{views.choice});
    report.results = counts.size();
    use(counts, *pool);
  } else {
    const visit_count task{views.choice, *views.unique};
    const auto visits = first_pass(task);
    const auto counts = count_visits(task, visits, *pool, report);
    report.results = counts.size();
    use(counts, *pool);
  }
  note_exact_task(options, report);
  return report;
}

}  // namespace duomap::apps
