// The application `stringmatch`: finds where patterns occur in texts.
#include "apps/cli/options.hpp"
#include "apps/cli/part_of_run.hpp"
#include "apps/cli/verify_laws.hpp"
#include "apps/commands/registry.hpp"
#include "apps/tasks/stringmatch/matches.hpp"
#include "apps/tasks/stringmatch/pattern_list.hpp"
#include "apps/tasks/stringmatch/stringmatch.hpp"
#include "core/output/table_writer.hpp"
#include "core/verify/verify.hpp"
#include "duomap.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace duomap::apps {
namespace {

constexpr std::string_view description =
    R"(Finds every occurrence of every pattern in texts.

  record   a strip of 32 positions of a text, with what follows it in its
           line; a pattern is looked for at each position
  map      pattern -> place
  key      the pattern's number; --ignore-case takes an ASCII letter for
           the same letter in the other case, in patterns and in texts
  reduce   none: everything is collected, in the order of the input
  output   file, offset, line, pattern

An offset is that of the match's first byte in its file (after
decompression), from 0; lines count from 1. Matches may overlap, those of
one pattern too: aa occurs twice in aaa. At one offset the shorter pattern
comes first. The column pattern shows the pattern as it was given, so with
--ignore-case not the text. Patterns are bytes, not regular expressions. One
that is given twice counts once.

A pattern is a part of one line: one that is empty or that holds a newline
is wrong usage. A file of patterns has one on each line; a carriage return
at the end of its lines does not belong to them. A line of a text ends with
a newline or with its file, and may hold any bytes, NUL among them.

Time does not depend on the number of patterns but on how often their first
eight bytes (of shorter ones: all) occur; there, every pattern that begins
with them is compared. Rows come in input order, so --sort and --top are refused.

Examples
  duomap run stringmatch --pattern whale moby-dick.txt
  duomap run stringmatch --ignore-case --patterns names.txt books/
  duomap run stringmatch --pattern=-v --pattern=-x --format csv scripts/
)";

struct match_options {
  std::vector<std::string> patterns;
  std::vector<std::string> files;
  bool ignore_case = false;
};

// Static, because the program runs only one command.
match_options& options_of_this_run() {
  static match_options options;
  return options;
}

void add_options(CLI::App& command) {
  match_options& options = options_of_this_run();
  refuse_order(command, {"--top", "--sort"}, "matches are in the order of the input");
  add_repeated_text(command, "--pattern", options.patterns, "a text to find; may be given several times");
  add_repeated_text(command, "--patterns", options.files,
                    "a file with a pattern on each line; - is standard input");
  add_flag(command, "--ignore-case", options.ignore_case, "take ASCII letters of either case for the same");
}

std::vector<std::string> all_patterns(const match_options& given, const run_arguments& options) {
  std::vector<std::string> all = given.patterns;
  for (const std::string& file : given.files) {
    if (file == "-" && std::ranges::find(options.paths, "-") != options.paths.end())
      throw usage_error("standard input cannot be both patterns and text; put one of them into a file");
    std::ranges::move(read_patterns(file), std::back_inserter(all));
  }
  return all;
}

// A text of all options that change the answer, for the identity of a partial.
std::string text_of(const pattern_list& patterns, const match_options& given) {
  std::string text = given.ignore_case ? "--ignore-case" : "";
  for (std::uint64_t i = 0; i < patterns.size(); ++i) {
    text += '\n';
    text += patterns[i];
  }
  return text;
}

run_report run_stringmatch(run_context& context) {
  const run_arguments& options = context.options;
  const match_options& given = options_of_this_run();
  const pattern_list patterns(all_patterns(given, options), given.ignore_case);
  const stringmatch task(patterns);
  const input texts = input_of(options);
  if (options.verify) report_laws(verify(task, texts), options.quiet);

  run_report report;
  const auto pool = cpu::machine_pool(options.threads.value_or(0), texts);
  // The text of all patterns may take gigabytes. Only partials need it, because only they are merged.
  const bool in_parts = options.stage != run_stage::whole;
  const auto found = run_selected_stage(task, texts, *pool, context, report,
                                        {"stringmatch", in_parts ? text_of(patterns, given) : ""});
  report.task = "stringmatch";
  note_exact_task(options, report);
  if (!found.result) return report;
  report.results = 0;  // counted again below, because the result also has emits that count lines
  table_writer table(context.sink, options.format, {"file", "offset", "line", "pattern"});
  for_each_match(*found.result, [&](const match& one) {
    ++report.results;
    table.row({byte_view(found.name_of(one.source, texts)), one.offset, one.line,
               byte_view(patterns[one.pattern])});
  });
  return report;
}

}  // namespace

constinit const app stringmatch_app{
    .name = "stringmatch",
    .summary = "where patterns occur in texts: file, offset and line",
    .description = description,
    .add_options = add_options,
    .has_parts = true,
    .run = run_stringmatch,
};

}  // namespace duomap::apps
