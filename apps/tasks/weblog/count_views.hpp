// Counts the views of each page in one pass or two chained passes, for page view count and page view rank.
// host only
#pragma once

#include "apps/report/explanation.hpp"
#include "apps/report/quantity.hpp"
#include "apps/tasks/weblog/chained_tasks.hpp"
#include "apps/tasks/weblog/malformed_lines.hpp"
#include "apps/tasks/weblog/open_logs.hpp"
#include "apps/tasks/weblog/pageviewcount.hpp"
#include "apps/tasks/weblog/view_options.hpp"
#include "core/early_stop.hpp"
#include "core/error.hpp"
#include "core/verify/verify.hpp"
#include "duomap.hpp"
#include "scheduler/chained_run.hpp"
#include "scheduler/report/append_timeline.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace duomap::apps {

/// The numbers of lines that are no views, found by the first pass.
struct uncounted_lines {
  std::uint64_t malformed = 0;
  std::uint64_t left_out = 0;  ///< entries that the options leave out, no_request included
  std::uint64_t no_request = 0;
};

/// Removes the three keys for lines that are no views, and returns the numbers of these lines.
template <class Task>
[[nodiscard]] uncounted_lines take_uncounted(keyed_result<Task>& counts) {
  const auto under = [&counts](const char* key, std::uint64_t bytes) {
    return counts.take(byte_view{key, bytes}).value_or(0);
  };
  const std::uint64_t no_request = under(&no_request_byte, 1);
  return {under("", 0), under(&left_out_byte, 1) + no_request, no_request};
}

/// Adds to the report how many lines were not counted, and why.
void report_not_views(const uncounted_lines& found, const opened_logs& from, worker_pool& pool,
                      run_report& report);

/// Refuses logs if most of their lines do not fit the format, because counting the rest would mislead.
/// @throws input_error
void require_fitting(const uncounted_lines& found, std::uint64_t entries, const opened_logs& from,
                     worker_pool& pool);

/// Whether all pages are in their normal form.
template <class Task>
[[nodiscard]] bool has_normal_pages(const keyed_result<Task>& counts, worker_pool& pool) {
  const auto& partitions = counts.reduced().partitions;
  std::atomic<bool> all{true};
  pool.for_each_index(partitions.size(), [&](std::uint64_t i) {
    for (const auto& entry : partitions[i]) {
      if (!all.load(std::memory_order_relaxed)) return;
      if (!detail::is_normal_page(entry.key.bytes())) all.store(false, std::memory_order_relaxed);
    }
  });
  return all;
}

/// The second pass: counts the views of each page from the visits of the first pass. Adds a note to the
/// report.
template <class Format>
[[nodiscard]] keyed_result<visits_by_page> count_visits(const visit_count_of<Format>& first_pass,
                                                        const keyed_result<visit_count_of<Format>>& visits,
                                                        worker_pool& pool, run_report& report,
                                                        bool timeline = false) {
  run_report between;
  run_report second;
  const run_options how{.timeline = timeline, .report = &between};
  const auto put_together = run(long_visits<Format>{first_pass}, entries_of(visits), pool, how);
  const run_options last{.timeline = timeline, .report = &second};
  bool are_apart = true;
  put_together.for_each([&](byte_view key, std::uint64_t) {
    if (key.size <= visit_count::most_bytes) are_apart = false;
  });
  auto counts = are_apart
                    ? run(visits_by_page{}, entries_of(visits, put_together), pool, last)
                    : run(visits_by_page{},
                          entries_of(run(all_visits{}, entries_of(visits, put_together), pool)), pool, last);
  double seconds = 0;
  for (run_report* const one : {&between, &second}) {
    scheduler::append_timeline(report.timeline, std::move(one->timeline), scheduler::end_of(report));
    seconds += one->map_seconds + one->merge_seconds;
  }
  report.notes.push_back("unique: the first pass left " + count_text(visits.size(), "visit") +
                         ", which the second counted by page where they were, in " + duration_text(seconds));
  return counts;
}

/// A function that gets the checks of a task's laws.
using laws_use = std::function<void(const std::vector<law_check>& checks)>;

/// The first or only pass of a count. If `check` is not empty, it checks the laws of the task first. It
/// reports the lines that are no views.
template <class Task>
[[nodiscard]] keyed_result<Task> count_lines(Task task, const opened_logs& from, worker_pool& pool,
                                             const run_options& how, const laws_use& check,
                                             run_figures& figures) {
  if (check) check(verify(task, from.logs));
  task.strict = how.strict;
  try {
    auto counts = run(task, from.logs, pool, how);
    const uncounted_lines found = take_uncounted(counts);
    figures.insert(figures.end(), {{"malformed_lines", found.malformed},
                                   {"left_out_entries", found.left_out},
                                   {"no_request_entries", found.no_request}});
    // A GPU without room maps some lines again, perhaps after its last look at `stop`. So this checks again.
    if (how.strict && found.malformed > 0)
      throw input_error(malformed_text(found.malformed, from.logs, from.format, pool) +
                        "; --strict makes that an error, and nothing was written");
    if (found.malformed > 0) {
      std::uint64_t entries = found.left_out;
      counts.for_each([&](const byte_view&, std::uint64_t requests) { entries += requests; });
      require_fitting(found, entries, from, pool);
    }
    report_not_views(found, from, pool, *how.report);
    return counts;
  } catch (const stopped_by_map& malformed) {
    throw input_error(strict_text(malformed, from.logs, from.format, pool));
  }
}

/// Counts the views and calls use(result, pool); the result maps pages to views. Fills `figures`,
/// `explanation` and how.report, which must not be null. With an empty `check` no law is checked.
template <class Use>
void count_views(input logs, const view_options& views, const run_options& how, const laws_use& check,
                 run_figures& figures, run_explanation& explanation, const Use& use) {
  const opened_logs from = open_logs(std::move(logs), views.log_format, views.forwarded, how.control);
  if (views.unique && !from.format.has_client())
    throw usage_error("the log format has no client, by which visits are told apart; give --unique none");
  const auto pool = cpu::machine_pool(how.threads, from.logs);
  run_report& report = *how.report;
  explanation.input = from.competition;
  figures = {{"log_format", text_of(from.format)},
             {"sample_lines", from.sample_lines},
             {"sample_lines_that_fit", from.sample_fit}};
  const auto count_as = [&](const auto& format) {
    using format_type = std::remove_cvref_t<decltype(format)>;
    if (!views.unique) {
      const auto counts = count_lines(request_count_of<format_type>{.choice = views.choice, .parse = format},
                                      from, *pool, how, check, figures);
      if (has_normal_pages(counts, *pool)) {
        report.results = counts.size();
        use(counts, *pool);
      } else {
        const auto pages = run(normal_pages{from.format.has_escapes()}, entries_of(counts), *pool);
        report.results = pages.size();
        use(pages, *pool);
      }
      return;
    }
    const visit_count_of<format_type> task{.choice = views.choice, .unique = *views.unique, .parse = format};
    const auto visits = count_lines(task, from, *pool, how, check, figures);
    const auto counts = count_visits(task, visits, *pool, report, how.timeline);
    report.results = counts.size();
    use(counts, *pool);
  };
  if (from.format.is_apache()) {
    count_as(apache_lines{from.format.choice});
  } else {
    count_as(from.format);
  }
  report.notes.push_back(from.format_note);
}

}  // namespace duomap::apps
