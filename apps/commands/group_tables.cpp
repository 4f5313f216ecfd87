// Reads the options for tables, runs the grouping, and writes its rows.
#include "apps/commands/group_tables.hpp"

#include "apps/cli/part_of_run.hpp"
#include "apps/cli/verify_laws.hpp"
#include "apps/tasks/table/parse_key_function.hpp"
#include "apps/tasks/table/parse_picks.hpp"
#include "apps/tasks/table/run_grouping.hpp"
#include "core/add_note.hpp"
#include "core/path_problem.hpp"
#include "core/verify/verify.hpp"
#include "duomap.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <type_traits>
#include <utility>

namespace duomap::apps {
namespace {

aggregate_kind kind_of(const std::string& option) {
  if (option == "--count") return aggregate_kind::rows;
  std::string name = option.substr(2);
  std::ranges::replace(name, '-', '_');
  return aggregate_named(name).value_or(aggregate_kind::count);  // --count-of
}

// Reads COLUMN=P, or P alone for the column of the quantile before it.
aggregate quantile_of(const std::string& option, const std::string& text,
                      const std::vector<aggregate>& before) {
  const std::size_t at = text.rfind('=');
  const aggregate_kind kind = kind_of(option);
  const bool follows = !before.empty() && before.back().kind == kind;
  if (at == std::string::npos && !follows)
    throw usage_error(option + " is '" + text + "'; give COLUMN=P, such as price=0.95 or price=0.5,0.95");
  const std::string column = at == std::string::npos ? before.back().column : text.substr(0, at);
  return {kind, column, parse_fraction(text.substr(at == std::string::npos ? 0 : at + 1))};
}

// Reads yes, no or auto, which is nothing.
std::optional<bool> choice_of(const std::string& text) {
  return text == "auto" ? std::nullopt : std::optional(text == "yes");
}

// Reads COLUMN=BY or COLUMN=BY:K.
std::vector<aggregate> best_rows_of(const std::string& option, const std::string& text) {
  const std::size_t at = text.rfind('=');
  if (at == std::string::npos)
    throw usage_error(option + " is '" + text + "'; give COLUMN=BY, such as name=price, or name=price:3");
  return parse_best_rows(kind_of(option), text.substr(0, at), text.substr(at + 1), ':',
                         option + " '" + text + "'");
}

std::vector<aggregate> aggregates_of(const given_text& one, const std::vector<aggregate>& before) {
  if (one.option.ends_with("quantile")) return {quantile_of(one.option, one.text, before)};
  if (one.option == "--argmin" || one.option == "--argmax") return best_rows_of(one.option, one.text);
  return {{kind_of(one.option), one.text}};
}

char character_of(const std::string& option, const std::string& text) {
  constexpr std::string_view numbers = "+-.0123456789\n\r";
  if (text == "tab") return '\t';
  if (text == "comma") return ',';
  if (text == "semicolon") return ';';
  if (text == "bar") return '|';
  if (text.size() == 1 && numbers.find(text[0]) == std::string_view::npos) return text[0];
  throw usage_error(option + " is '" + text +
                    "'; give one character that is no part of a number, or tab, comma, semicolon, bar");
}

grouping grouping_of(const group_flags& flags) {
  grouping asked;
  asked.by = join_calls(flags.by);
  for (const given_text& one : flags.aggregates)
    std::ranges::move(aggregates_of(one, asked.aggregates), std::back_inserter(asked.aggregates));
  if (asked.aggregates.empty()) asked.aggregates.push_back({});
  for (const std::string& one : flags.where) {
    static_cast<void>(parse_condition(one));  // so that a message shows this text alone
    asked.where += (asked.where.empty() ? "(" : " and (") + one + ")";
  }
  for (const std::string& one : flags.types) {
    const std::size_t at = one.rfind('=');
    if (at == std::string::npos)
      throw usage_error("--types is '" + one + "'; give COLUMN=TYPE, such as price=decimal(2)");
    asked.types.emplace_back(one.substr(0, at), parse_number_type(one.substr(at + 1)));
  }
  if (flags.delimiter != "auto") asked.delimiter = character_of("--delimiter", flags.delimiter);
  asked.quote = flags.quote == "none" ? '\0' : character_of("--quote", flags.quote);
  asked.header = choice_of(flags.header);
  asked.quoted_lines = choice_of(flags.quoted_lines);
  if (flags.comment != "none") asked.comment = character_of("--comment", flags.comment);
  asked.decimal_comma = flags.decimal_comma;
  asked.missing = flags.missing;
  set_format(asked, flags.input_format);
  require_format_alone(asked);
  return asked;
}

[[noreturn]] void refuse_parts(const grouping& asked) {
  const auto pick =
      std::ranges::find_if(asked.aggregates, [](const aggregate& one) { return is_pick(one.kind); });
  throw usage_error(pick->heading() +
                    " reads the picked rows a second time, and a merge has no rows to read; use duomap run");
}

void write_table(const grouped_table& table, const grouping& asked, run_context& context, worker_pool& pool) {
  std::vector<std::string> headings = asked.by;
  for (const aggregate& one : asked.aggregates) headings.push_back(one.heading());
  table_writer rows(context.sink, context.options.format, headings);
  const group_order order = context.options.order == row_order::key     ? group_order::key
                            : context.options.order == row_order::value ? group_order::value
                                                                        : group_order::none;
  table.for_each(order, context.options.top, pool, [&](std::span<const cell> cells) { rows.row(cells); });
}

}  // namespace

bool group_flags::asks_for_groups() const {
  if (by.empty() && (!aggregates.empty() || !types.empty() || !where.empty()))
    throw usage_error("aggregates of a table need --by, the columns of its keys");
  const bool pairs = input_format == "pairs";
  if (by.empty() && !pairs && input_format != "auto")
    throw usage_error("--input-format " + input_format + " needs --by, the columns of the keys");
  if (!by.empty() && pairs)
    throw usage_error(
        "--by names columns of a table, and --input-format pairs asks for binary pairs; leave one out");
  return !by.empty();
}

void add_group_flags(CLI::App& command, group_flags& into) {
  add_texts(command, "--by", into.by,
            "columns whose values are the keys: names or\n"
            "numbers, with commas between them, or functions of\n"
            "them: year(t), month(t), day(t), hour(t), lower(x),\n"
            "upper(x), left(x, N), prefix(ip, N), floor(x, W)");
  add_flag_in_order(command, "--count", into.aggregates, "number of rows");
  add_texts_in_order(command, "--sum", into.aggregates, "sums of columns");
  add_texts_in_order(command, "--min", into.aggregates, "smallest numbers of columns");
  add_texts_in_order(command, "--max", into.aggregates, "largest numbers of columns");
  add_texts_in_order(command, "--mean", into.aggregates, "means of columns");
  add_texts_in_order(command, "--first", into.aggregates, "values of columns in the first row");
  add_texts_in_order(command, "--last", into.aggregates, "values of columns in the last row");
  add_texts_in_order(command, "--any", into.aggregates, "first values of columns, missing ones left out");
  add_texts_in_order(command, "--argmin", into.aggregates,
                     "value of a column in the row with the smallest\n"
                     "number of another one: COLUMN=BY, or COLUMN=BY:K\n"
                     "for the K rows with the smallest numbers");
  add_texts_in_order(command, "--argmax", into.aggregates,
                     "the same for the largest number, such as\nname=price or name=price:3");
  add_texts_in_order(command, "--count-of", into.aggregates,
                     "how many numbers columns have, missing ones left\nout");
  add_texts_in_order(command, "--distinct", into.aggregates, "how many different values a column has");
  add_texts_in_order(command, "--median", into.aggregates, "median of a column");
  add_texts_in_order(command, "--quantile", into.aggregates,
                     "quantiles of a column: COLUMN=P, with P from 0 to\n1, such as price=0.5,0.95");
  add_texts_in_order(command, "--mode", into.aggregates, "most frequent value of a column");
  add_texts_in_order(command, "--var", into.aggregates, "variance of a column, as of a sample");
  add_texts_in_order(command, "--std", into.aggregates, "standard deviation of a column, as of a sample");
  add_texts_in_order(command, "--approx-distinct", into.aggregates,
                     "about how many different values a column has, with\na standard error of 1.6 %");
  add_texts_in_order(command, "--approx-quantile", into.aggregates,
                     "quantiles of a column with an error of at most 1 %:\nCOLUMN=P, such as price=0.5,0.95");
  add_repeated_text(command, "--where", into.where,
                    "the rows to count: comparisons of columns with\nconstants, joined by not, and, or and "
                    "parentheses,\nsuch "
                    "as \"price > 0 and city != 'Rome'\"; given several\ntimes, all must be true");
  add_texts(command, "--types", into.types,
            "types of columns: COLUMN=integer,\n"
            "COLUMN=decimal(N) or COLUMN=real; the default is\n"
            "found in the first rows");
  add_choice(command, "--input-format", into.input_format,
             "delimited text; jsonl: a JSON object per line; a web\n"
             "server's log: common, combined, vhost_combined or\n"
             "lighttpd; pairs: binary pairs, without --by. auto:\n"
             "pairs without --by; jsonl if the first line begins\n"
             "with { and ends with }, and no option of delimited\n"
             "text is given",
             {"auto", "delimited", "jsonl", "common", "combined", "vhost_combined", "lighttpd", "pairs"});
  add_text(command, "--delimiter", into.delimiter,
           "the character between columns, or tab, comma,\n"
           "semicolon, bar; auto: the most frequent one in the\n"
           "first line");
  add_text(command, "--quote", into.quote, "the character around fields that have delimiters;\nnone");
  add_choice(command, "--header", into.header,
             "whether the first line names the columns; auto:\n"
             "when columns are given by name, or it alone has no\n"
             "number",
             {"auto", "yes", "no"});
  add_choice(command, "--quoted-lines", into.quoted_lines,
             "whether fields in quotes may go over the end of a\n"
             "line; auto: if a row has an odd number of quotes,\n"
             "and the files can be read again",
             {"auto", "yes", "no"});
  add_text(command, "--comment", into.comment,
           "the character at the beginning of lines that do not\ncount; none");
  add_flag(command, "--decimal-comma", into.decimal_comma,
           "numbers have a comma in front of their decimals, and\nthe delimiter is no comma unless given");
  add_texts(command, "--null", into.missing,
            "texts that stand for a missing value, such as NA,-;\nan empty field always does");
  add_choice(command, "--bad-rows", into.bad_rows, "rows that cannot be read: an error, or left out",
             {"error", "drop"});
}

run_report group_tables(run_context& context, const group_flags& flags) {
  const run_arguments& options = context.options;
  const grouping asked = grouping_of(flags);
  run_report report;
  std::vector<std::string> notes;
  const bool merges = options.stage == run_stage::merge;
  if (options.stage != run_stage::whole && asked.values_columns().size() > 1)
    throw usage_error("parts have the different values of one column, and " +
                      duomap::quoted(asked.values_columns()[0].name) + " and " +
                      duomap::quoted(asked.values_columns()[1].name) +
                      " are asked for; map and merge once for each");
  if (asked.has_picks() && options.stage != run_stage::whole) refuse_parts(asked);
  if (options.stage == run_stage::map) static_cast<void>(plan_without_table(asked));
  opened_tables from;
  if (merges) {
    from.layout.plan = plan_without_table(asked);
  } else {
    from = open_tables(input_of(options), asked, &context.control);
  }
  // A merge knows the format only from the user.
  const bool is_json = from.layout.plan.format == row_format::json_lines;
  if (options.stage == run_stage::map && is_json && !asked.format) from.layout.plan.joins_lines = false;
  if (options.stage == run_stage::map && from.lines.joins_lines && !asked.quoted_lines)
    throw usage_error("parts of tables whose lines end with carriage returns need --quoted-lines, yes or no");
  if (options.verify && !merges) {
    const group_rows<most_value_columns> task{from.layout.plan};
    if (asked.has_picks())
      report_laws(
          verify(pick_rows<most_value_columns, most_picked_rows>{task, plan_picks(asked)}, from.tables),
          options.quiet);
    else
      report_laws(verify(task, from.tables), options.quiet);
  }
  const auto pool = cpu::machine_pool(options.threads.value_or(0), from.tables);
  run_arguments on_device = options;
  on_device.device = device_for(from.layout.plan.format, asked, options.device, notes);
  run_context part{on_device, context.control, context.sink};
  covered_input merged;
  const auto run_task = [&](const auto& task) {
    report = {};
    if constexpr (is_pick_task<std::remove_cvref_t<decltype(task)>>)
      return std::optional(
          run(task, from.tables, *pool, run_options_for(on_device, context.control, &report)));
    else {
      auto found =
          run_selected_stage(task, from.tables, *pool, part, report, {"aggregate", asked.text().substr(1)});
      merged = found.merged;
      return std::move(found.result);
    }
  };
  const group_outcome outcome = run_grouping(from, asked, options.deterministic, notes, *pool, run_task);
  report.task = "aggregate";
  for (std::string& note : notes) add_note(report.notes, note);
  if (outcome.faults.rows > 0) {
    const std::string first =
        merges
            ? duomap::quoted(merged.sources()[source_of(outcome.faults.first_place)].name) + ", byte " +
                  std::to_string(offset_of(outcome.faults.first_place)) + ": the row there cannot be counted"
            : fault_text(outcome.faults, from.layout, asked, from.tables);
    note_or_throw_faults(outcome.faults, first, flags.bad_rows == "drop", "--bad-rows drop", report.notes);
  }
  if (!outcome.table) return report;
  report.results = outcome.table->size();
  context.figures.emplace_back("bad_rows", outcome.faults.rows);
  if (!from.layout.note.empty()) context.explanation.input.push_back("columns: " + from.layout.note);
  write_table(*outcome.table, asked, context, *pool);
  return report;
}

}  // namespace duomap::apps
