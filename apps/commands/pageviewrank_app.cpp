// The application `pageviewrank`: ranks the pages of web servers' logs by their views.
#include "apps/cli/options.hpp"
#include "apps/cli/run_arguments.hpp"
#include "apps/commands/registry.hpp"
#include "apps/commands/views_as_asked.hpp"
#include "core/output/table_writer.hpp"
#include "scheduler/chained_run.hpp"
#include "scheduler/report/append_timeline.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace duomap::apps {
namespace {

constexpr std::uint64_t usual_rank = 10;

constexpr auto description =
    around_view_definitions("Ranks pages by their views: the --top most viewed ones (default: 10).\n\n",
                            R"(  map      views of pages as in pageviewcount; over its result,
           (views, page)
  reduce   the best k: more views first, pages of as many views by their
           bytes, ascending
  output   page, views; best first, or by page with --sort key

The passes are one run: each goes on from the result of the one before where
that is in memory. Of the last, every worker keeps its k best in a heap, and
no list of all pages is sorted. See also: duomap describe pageviewcount.

Examples
  duomap run pageviewrank access.log
  duomap run pageviewrank --top 100 --unique none logs/ old.log.gz
)");

view_options& views_of_this_run() {
  static view_options views;
  return views;
}

run_report run_pageviewrank(run_context& context) {
  const run_arguments& options = context.options;
  std::uint64_t ranked = 0;
  run_report ranking;
  run_report report;
  count_views_with_options(context, views_of_this_run(), report, [&](const auto& counts, worker_pool& pool) {
    const auto best = run(page_rank{options.top.value_or(usual_rank)}, entries_of(counts), pool,
                          {.timeline = wants_timeline(options), .report = &ranking});
    std::vector<ranked_page> pages = best[0];
    if (options.order == row_order::key) {
      std::ranges::sort(pages, [](const ranked_page& a, const ranked_page& b) {
        return compare({a.page, a.page_bytes}, {b.page, b.page_bytes}) < 0;
      });
    }
    table_writer table(context.sink, options.format, {"page", "views"});
    for (const ranked_page& one : pages) table.row({byte_view{one.page, one.page_bytes}, one.views});
    ranked = pages.size();
  });
  scheduler::append_timeline(report.timeline, std::move(ranking.timeline), scheduler::end_of(report));
  report.task = "pageviewrank";
  report.results = ranked;
  return report;
}

}  // namespace

constinit const app pageviewrank_app{
    .name = "pageviewrank",
    .summary = "the most viewed pages, from web servers' logs",
    .description = {description.data(), description.size()},
    .add_options =
        [](CLI::App& command) {
          add_page_view_options(command, views_of_this_run());
          describe_option(command, "--top", "only the N most viewed pages (default: 10)");
        },
    .run = run_pageviewrank,
};

}  // namespace duomap::apps
