// The views of each page, by one pass or two chained ones: what page view count and page view rank share.
// host only
#pragma once

#include "apps/cli/app.hpp"
#include "apps/cli/quantity.hpp"
#include "apps/cli/run_options.hpp"
#include "apps/cli/verify_laws.hpp"
#include "apps/commands/malformed_lines.hpp"
#include "apps/commands/open_logs.hpp"
#include "apps/commands/view_options.hpp"
#include "apps/tasks/weblog/chained_tasks.hpp"
#include "apps/tasks/weblog/page_views.hpp"
#include "core/early_stop.hpp"
#include "core/error.hpp"
#include "core/verify/verify.hpp"
#include "duomap.hpp"
#include "scheduler/chained_run.hpp"
#include "scheduler/report/append_timeline.hpp"

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

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
void report_not_views(const not_views& found, const opened_logs& from, worker_pool& pool, run_report& report);

/// An error where most of the lines do not fit the format: what was counted would be of no use.
void require_fitting(const not_views& found, std::uint64_t entries, const opened_logs& from,
                     worker_pool& pool);

/// The second pass: the views of each page out of the first one's visits. The report gets a note of it.
template <class Format>
[[nodiscard]] keyed_result<visits_by_page> count_visits(const visit_count_of<Format>& first_pass,
                                                        const keyed_result<visit_count_of<Format>>& visits,
                                                        worker_pool& pool, run_report& report,
                                                        bool timeline = false) {
  run_report between;
  run_report second;
  const auto put_together = run(long_visits<Format>{first_pass}, entries_of(visits), pool,
                                {.timeline = timeline, .report = &between});
  auto counts = run(visits_by_page{}, entries_of(visits, put_together), pool,
                    {.timeline = timeline, .report = &second});
  double seconds = 0;
  for (run_report* const one : {&between, &second}) {
    scheduler::append_timeline(report.timeline, std::move(one->timeline), scheduler::end_of(report));
    seconds += one->map_seconds + one->merge_seconds;
  }
  report.notes.push_back("unique: the first pass left " + count_text(visits.size(), "visit") +
                         ", which the second counted by page where they were, in " + duration_text(seconds));
  return counts;
}

/// The first pass, or the only one, of a count: checks its laws and what it could not count.
template <class Task>
[[nodiscard]] keyed_result<Task> count_lines(Task task, const opened_logs& from, worker_pool& pool,
                                             const run_options& options, run_control& control,
                                             run_figures& figures, run_report& report) {
  if (options.verify) report_laws(verify(task, from.logs), options.quiet);
  task.strict = options.strict;
  try {
    auto counts = run(task, from.logs, pool, job_options_for(options, control, report));
    const not_views found = take_not_views(counts);
    figures = {{"malformed_lines", found.malformed}, {"left_out_entries", found.left_out}};
    // What a GPU maps a second time for want of room may come behind its last look at `stop`.
    if (options.strict && found.malformed > 0)
      throw input_error(malformed_text(found.malformed, from.logs, from.format, pool) +
                        "; --strict makes that an error, and nothing was written");
    if (found.malformed > 0) {
      std::uint64_t entries = found.left_out;
      counts.for_each([&](const byte_view&, std::uint64_t requests) { entries += requests; });
      require_fitting(found, entries, from, pool);
    }
    report_not_views(found, from, pool, report);
    return counts;
  } catch (const stopped_by_map& malformed) {
    throw input_error(strict_text(malformed, from.logs, from.format, pool));
  }
}

/// Counts and calls use(keyed_result of page -> views, pool); returns the report, `results` included. Of the
/// options those count that say how a run goes. Fills `figures`.
template <class Use>
[[nodiscard]] run_report count_views(input logs, const view_options& views, const run_options& options,
                                     run_control& control, run_figures& figures, const Use& use) {
  const opened_logs from = open_logs(std::move(logs), views.log_format, control);
  if (views.unique && !from.format.has_client())
    throw usage_error("the log format has no client, by which visits are told apart; give --unique none");
  const auto pool = cpu::machine_pool(options.threads.value_or(0), from.logs);
  run_report report;
  const auto count_as = [&](const auto& format) {
    using format_type = std::remove_cvref_t<decltype(format)>;
    if (!views.unique) {
      const auto counts = count_lines(request_count_of<format_type>{.choice = views.choice, .parse = format},
                                      from, *pool, options, control, figures, report);
      report.results = counts.size();
      use(counts, *pool);
      return;
    }
    const visit_count_of<format_type> task{.choice = views.choice, .unique = *views.unique, .parse = format};
    const auto visits = count_lines(task, from, *pool, options, control, figures, report);
    const auto counts = count_visits(task, visits, *pool, report, wants_timeline(options));
    report.results = counts.size();
    use(counts, *pool);
  };
  if (from.format.kind == log_format::form::apache) {
    count_as(apache_lines{});
  } else {
    report.notes.push_back("the log format is " + std::string(from.format.name));
    count_as(from.format);
  }
  note_exact_task(options, report);
  return report;
}

}  // namespace duomap::apps
