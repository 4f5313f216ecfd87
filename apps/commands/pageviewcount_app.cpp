// The application `pageviewcount`: counts the views of each page in web servers' logs.
#include "apps/cli/keyed_rows.hpp"
#include "apps/commands/registry.hpp"
#include "apps/commands/views_as_asked.hpp"

#include <string>

namespace duomap::apps {
namespace {

constexpr auto description =
    around_view_definitions("Counts the views of each page from web servers' logs.\n\n",
                            R"(  map      pass 1: (page, client, agent) -> 1
           pass 2, over the result of pass 1: page -> 1
           with --unique none one pass: page -> 1
  reduce   sum of 64-bit counts in both passes; associative, commutative,
           identity 0
  output   page, views

Both passes are one run: the result of the first is in memory, and stays
where its merge left it while the second counts. GPUs take part in the
first, the CPU's workers do the second.

Lines that do not fit are counted, and the summary shows the first few
with file and byte (of the decompressed text). --strict stops soon after one
is seen; the error names the first one of the input, with file, line, byte
and what is wrong (of standard input, the one that was seen).
Compressed files are decompressed on the way.

Examples
  duomap run pageviewcount --top 10 access.log
  duomap run pageviewcount --unique none --status 2xx,304 --method GET logs/
  duomap run pageviewcount --no-query --sort key --format csv access.log.1.gz
)");

// Static, because the program runs only one command.
view_options& views_of_this_run() {
  static view_options views;
  return views;
}

run_report run_pageviewcount(run_context& context) {
  run_report report;
  count_views_with_options(context, views_of_this_run(), report, [&](const auto& counts, worker_pool& pool) {
    write_rows(counts, {"page", "views"}, context.options, context.sink, pool);
  });
  report.task = "pageviewcount";
  return report;
}

}  // namespace

constinit const app pageviewcount_app{
    .name = "pageviewcount",
    .summary = "views of each page, from web servers' logs",
    .description = {description.data(), description.size()},
    .add_options = [](CLI::App& command) { add_page_view_options(command, views_of_this_run()); },
    .run = run_pageviewcount,
};

}  // namespace duomap::apps
