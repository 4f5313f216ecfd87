// The application `invertedindex`: lists the links of HTML files by their targets.
#include "apps/cli/options.hpp"
#include "apps/cli/verify_laws.hpp"
#include "apps/commands/registry.hpp"
#include "apps/tasks/invertedindex/chunked_links.hpp"
#include "apps/tasks/invertedindex/find_links.hpp"
#include "apps/tasks/invertedindex/link_index.hpp"
#include "core/output/table_writer.hpp"
#include "core/verify/verify.hpp"
#include "duomap.hpp"

#include <span>
#include <string>
#include <tuple>
#include <vector>

namespace duomap::apps {
namespace {

constexpr std::string_view description =
    R"(Lists for each link target the places that link to it, over HTML files.

  record   what stands between two '<'
  map      an a or area tag with an href: target -> (file, offset); also what
           begins and ends comments, scripts and other text without tags
  reduce   none: all links are kept, but those in comments, in text without
           tags and in other tags
  output   target, file, offset: a row for each link, sorted by the bytes of
           the target, then in the order of the files; the offset is that of
           the tag's '<' (in what a compressed file holds)

A target is the value of the tag's first href, quoted with " or ' or not at
all; without a value it is empty. It is decoded as in browsers: character
references, CR LF and CR as LF, a null character as U+FFFD. Blanks around it
and relative paths stay as they are. Names count in any case. The text of a
file need not be UTF-8, nor HTML.

Tags are those of the HTML standard's tokenizer, which browsers have:
  - in tags and end tags a '<' is like any other character
  - <!-- ends with --> or --!>; <!, <? and </ without a letter end with the
    next '>', and so do <!doctype> and <![CDATA[
  - script (with its escaped parts), style, xmp, iframe, noembed, noframes,
    title and textarea hide the tags in them; plaintext hides all behind it
  - a tag, comment or element that the end of its file cuts hides the rest

Where browsers differ from that tokenizer, this follows the tokenizer: no tree
is built, so SVG and MathML are read as HTML is, and noscript is read as a
browser without scripts reads it. The one difference from the standard: a tag
or declaration with a '<' in it ends within 16384 bytes or is text, and what
follows its own '<' is then looked at as usual.

Examples
  duomap run invertedindex site/
  duomap run invertedindex --format jsonl -o links.jsonl page.html dump.html.gz
)";

/// The targets and offsets of an index, for comparison and messages.
std::vector<std::tuple<std::string, std::uint64_t>> rows_of(const link_index& index) {
  std::vector<std::tuple<std::string, std::uint64_t>> rows;
  index.for_each([&](byte_view target, std::span<const link_place> places) {
    for (const link_place& place : places) rows.emplace_back(target.text(), place.offset);
  });
  return rows;
}

/// Checks that the index is the same for all cuts between chunks. The events depend on the cuts.
law_check independent_of_cuts(const input& pages) {
  constexpr std::size_t sources = 16;
  constexpr std::uint64_t bytes = 65536;
  law_check check("independent of cuts");
  for (std::size_t i = 0; i < std::min(pages.size(), sources) && check.holds(); ++i) {
    if (!pages[i].addressable()) continue;
    const std::uint64_t size = std::min(pages[i].units(), bytes);
    const input begins = text_input(std::string(pages[i].bytes().sub(0, size).text()));
    const auto expected = rows_of(index_in_chunks(begins[0], {}));
    for (std::uint64_t cut = 1; cut < size && check.holds(); cut += 1 + size / 16) {
      ++check.trials;
      if (rows_of(index_in_chunks(begins[0], {cut})) != expected)
        check.counterexample = pages[i].name() + " cut at byte " + std::to_string(cut);
    }
  }
  return check;
}

void add_options(CLI::App& command) {
  refuse_order(command, {"--top"}, "the links have no value to be ranked by");
  describe_option(command, "--sort",
                  "order of the rows: key (by address, then by place)\nor none (any; the default)");
}

run_report run_invertedindex(run_context& context) {
  const run_arguments& options = context.options;
  if (options.order == row_order::value)
    throw usage_error("the links have no value to be ranked by; leave out --sort value");
  const input pages = input_of(options);
  const find_links task;
  if (options.verify) {
    auto checks = verify(task, pages);
    std::erase_if(checks, [](const law_check& check) { return check.law == "independent of cuts"; });
    checks.push_back(independent_of_cuts(pages));
    report_laws(checks, options.quiet);
  }

  run_report report;
  const auto pool = cpu::machine_pool(options.threads.value_or(0), pages);
  const link_index index(run(task, pages, *pool, run_options_for(options, context.control, &report)), *pool);
  report.task = "invertedindex";
  report.results = index.links();
  note_exact_task(options, report);

  table_writer table(context.sink, options.format, {"target", "file", "offset"});
  index.for_each([&](byte_view target, std::span<const link_place> places) {
    for (const link_place& place : places)
      table.row({target, byte_view(pages[place.source].name()), place.offset});
  });
  return report;
}

}  // namespace

constinit const app invertedindex_app{
    .name = "invertedindex",
    .summary = "where HTML files link to each target",
    .description = description,
    .add_options = add_options,
    .run = run_invertedindex,
};

}  // namespace duomap::apps
