// Adds the options that describe a table, and turns them into table_options.
#include "numeric/commands/table_flags.hpp"

#include "apps/cli/options.hpp"
#include "core/error.hpp"

#include <algorithm>
#include <optional>

namespace duomap::apps {
namespace {

std::optional<data_format> format_called(const std::string& word) {
  if (word == "text") return data_format::delimited;
  if (word == "npy") return data_format::npy;
  if (word == "libsvm") return data_format::libsvm;
  if (word == "idx") return data_format::idx;
  return std::nullopt;
}

std::optional<char> delimiter_called(const std::string& word) {
  if (word == "auto") return std::nullopt;
  if (word == "comma") return ',';
  if (word == "tab") return '\t';
  if (word == "space") return ' ';
  if (word == "semicolon") return ';';
  if (word.size() != 1) {
    throw usage_error("--delimiter is '" + word +
                      "'; give auto, comma, tab, space, semicolon or one character");
  }
  return word[0];
}

}  // namespace

void add_table_flags(CLI::App& command, table_flags& flags, const table_flag_set& with) {
  flags.advice = table_advice::all;
  add_choice(command, "--input-format", flags.format,
             "format of the input; auto: by its first bytes and name",
             {"auto", "text", "npy", "libsvm", "idx"});
  add_text(command, "--delimiter", flags.delimiter,
           "delimiter of text: comma, tab, space (any number of\n"
           "them), semicolon or another character; auto: that\n"
           "of the first line");
  add_choice(command, "--header", flags.header,
             "whether the first line of text names the columns;\n"
             "auto: when it has no number and the second has one",
             {"auto", "yes", "no"});
  add_texts(command, "--columns", flags.columns,
            "the columns of text to read, in the order of the\n"
            "file: names, numbers from 1 on, last; the default\n"
            "is all");
  add_texts(command, "--leave-out", flags.leave_out, "the columns of text not to read");
  add_choice(command, "--symbols", flags.symbols,
             "what to do with columns of text that hold other\n"
             "than numbers: an error, the index among the\n"
             "column's texts, or not to read them",
             {"error", "encode", "leave-out"});
  add_choice(command, "--bad-rows", flags.rows,
             "what to do with rows that lack a value, have too\n"
             "many or one that is no number: an error that names\n"
             "the line, or leave them out and count them",
             {"error", "drop"});
  if (with.label) {
    add_text(command, "--label", flags.label, "the column of text that holds the label");
    add_text(command, "--labels", flags.labels_path,
             "the file of the labels, one for each row, for .npy\n"
             "and IDX, which hold none");
  }
}

std::string changed_option(const table_flags& flags) {
  const table_flags usual;
  if (flags.format != usual.format) return "--input-format";
  if (flags.delimiter != usual.delimiter) return "--delimiter";
  if (flags.header != usual.header) return "--header";
  if (flags.columns != usual.columns) return "--columns";
  if (flags.leave_out != usual.leave_out) return "--leave-out";
  if (flags.symbols != usual.symbols) return "--symbols";
  if (flags.rows != usual.rows) return "--bad-rows";
  if (flags.label != usual.label) return "--label";
  return flags.labels_path != usual.labels_path ? "--labels" : "";
}

table_options table_options_of(const run_context& context, const table_flags& flags) {
  table_options options;
  options.format = format_called(flags.format);
  if (context.options.no_decompress) options.content = input_content::stored;
  options.delimiter = delimiter_called(flags.delimiter);
  if (flags.header != "auto") options.header = flags.header == "yes";
  options.label = flags.label;
  options.columns = flags.columns;
  options.leave_out = flags.leave_out;
  options.symbols = flags.symbols == "encode"      ? symbol_columns::encode
                    : flags.symbols == "leave-out" ? symbol_columns::leave_out
                                                   : symbol_columns::error;
  options.advice = flags.advice;
  options.rows = flags.rows == "drop" ? bad_rows::drop : bad_rows::error;
  options.labels_path = flags.labels_path;
  options.allow_non_finite = flags.allow_non_finite;
  options.threads = context.options.threads.value_or(0);
  options.control = &context.control;
  return options;
}

std::uint64_t used_rows(run_context& context, std::uint64_t rows, std::uint64_t row_bytes) {
  context.table_bytes = rows * row_bytes;
  const auto& first = context.options.first_bytes;
  return first && row_bytes > 0 ? std::min(rows, *first / row_bytes) : rows;
}

}  // namespace duomap::apps
