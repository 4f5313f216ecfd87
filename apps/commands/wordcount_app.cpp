// The application `wordcount`: counts how often each word occurs in texts.
#include "apps/cli/keyed_rows.hpp"
#include "apps/cli/options.hpp"
#include "apps/cli/part_of_run.hpp"
#include "apps/cli/verify_laws.hpp"
#include "apps/commands/registry.hpp"
#include "apps/tasks/wordcount/wordcount.hpp"
#include "core/verify/verify.hpp"
#include "duomap.hpp"

namespace duomap::apps {
namespace {

constexpr std::string_view description =
    R"(Counts how often each word occurs in texts.

  record   a word: a maximal run of ASCII letters, digits, apostrophes and
           bytes >= 0x80, so that words in UTF-8 stay whole
  map      word -> 1
  key      the word's bytes; "The" and "the" are two words unless --lower
           is given, which makes ASCII capital letters small
  reduce   sum of 64-bit counts; associative, commutative, identity 0
  output   word, count

A word belongs to one file: it does not continue in the next one. Words may
be of any length. Files are read where they lie (memory-mapped);
compressed files are decompressed on the way.

Examples
  duomap run wordcount --top 10 book.txt
  duomap run wordcount --lower --sort key --format csv -o counts.csv texts/
  zcat logs.gz | duomap run wordcount -
)";

// Static, because the program runs only one command.
wordcount& task_of_this_run() {
  static wordcount task;
  return task;
}

void add_options(CLI::App& command) {
  add_flag(command, "--lower", task_of_this_run().lower_case, "count ASCII capital letters as small ones");
}

run_report run_wordcount(run_context& context) {
  const run_arguments& options = context.options;
  const wordcount& task = task_of_this_run();
  const input texts = input_of(options);
  if (options.verify) report_laws(verify(task, texts), options.quiet);

  run_report report;
  const auto pool = cpu::machine_pool(options.threads.value_or(0), texts);
  const auto found = run_selected_stage(task, texts, *pool, context, report,
                                        {"wordcount", task.lower_case ? "--lower" : ""});
  report.task = "wordcount";
  note_exact_task(options, report);
  if (found.result) write_rows(*found.result, {"word", "count"}, options, context.sink, *pool);
  return report;
}

}  // namespace

constinit const app wordcount_app{
    .name = "wordcount",
    .summary = "how often each word occurs in texts",
    .description = description,
    .add_options = add_options,
    .has_parts = true,
    .run = run_wordcount,
};

}  // namespace duomap::apps
