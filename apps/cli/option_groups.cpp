// Adds the options that several commands share, with their help and their checks.
#include "apps/cli/option_groups.hpp"

#include "apps/cli/console.hpp"
#include "apps/cli/old_names.hpp"
#include "core/engine_kind.hpp"
#include "core/error.hpp"

#include <CLI/CLI.hpp>

#include <charconv>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace duomap::apps {

namespace {

template <class Value>
using choices = std::vector<std::pair<std::string, Value>>;

// Joins the names of choices: "auto|cpu|gpu".
template <class Value>
std::string names_of(const choices<Value>& values) {
  std::string names;
  for (const auto& [name, value] : values) {
    names += (names.empty() ? "" : "|") + name;
  }
  return names;
}

// An option that accepts only certain words. If a user gives it twice, the last word counts, so that a user
// can override an alias.
template <class Value>
void add_choice(CLI::App& command, const std::string& option, choices<Value> values,
                std::function<void(Value)> accept, const std::string& help) {
  const std::string names = names_of(values);
  const auto parse = [option, values = std::move(values), names,
                      accept = std::move(accept)](const std::string& text) {
    for (const auto& [name, value] : values) {
      if (name == text) {
        accept(value);
        return;
      }
    }
    throw usage_error(option + " is '" + text + "'; give one of " + names);
  };
  command.add_option_function<std::string>(option, parse, help)->type_name(names)->take_last();
}

// An option that takes a whole number of at least 1.
template <class Number>
void add_count(CLI::App& command, const std::string& option, std::optional<Number>& into,
               const std::string& help) {
  const auto parse = [option, &into](const std::string& text) {
    Number number = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (problem == std::errc::result_out_of_range) {
      throw usage_error(option + " is " + text + ", more than can be counted; give a smaller number");
    }
    if (problem != std::errc() || end != text.data() + text.size() || number == 0) {
      throw usage_error(option + " is '" + text + "'; give a whole number of at least 1");
    }
    into = number;
  };
  command.add_option_function<std::string>(option, parse, help)->type_name("N")->take_last();
}

// Parses a whole number of bytes, with or without a decimal prefix: "16G".
std::uint64_t parse_bytes(const std::string& option, const std::string& text) {
  std::uint64_t number = 0;
  const char* const end_of_text = text.data() + text.size();
  const auto [end, problem] = std::from_chars(text.data(), end_of_text, number);
  std::uint64_t scale = 1;
  const std::string_view prefix(end, static_cast<std::size_t>(end_of_text - end));
  for (const std::string_view one : {"K", "M", "G", "T"}) {
    scale *= 1000;
    if (prefix == one && problem == std::errc() && number > 0 && number <= ~std::uint64_t{0} / scale)
      return number * scale;
  }
  if (problem != std::errc() || !prefix.empty() || number == 0)
    throw usage_error(option + " is '" + text + "'; give a number of bytes, such as 500M or 16G");
  return number;
}

}  // namespace

// The lines of help are broken by hand at 50 columns, because CLI11 2.1 does not break lines.
void add_paths(CLI::App& command, run_arguments& into, std::string_view input_option) {
  if (input_option == indices_option) {
    return add_count(command, std::string(indices_option), into.indices,
                     "the input: the indices 0 to below N");
  }
  const std::string help =
      "files and directories (all files in them, sorted\n"
      "by path); files of gzip, zstd, xz and lz4 are\n"
      "decompressed; - is standard input";
  if (input_option.empty()) {
    command.add_option("PATH", into.paths, help)->type_name("");
  } else {
    command.add_option(std::string(input_option), into.paths, help)
        ->type_name("PATH")
        ->allow_extra_args(false);
  }
  command.add_flag("--no-decompress", into.no_decompress,
                   "read the stored bytes: nothing is decompressed, no\n"
                   "encoding is converted, no byte order mark skipped");
}

void add_engine(CLI::App& command, run_arguments& into) {
  choices<std::optional<engine_kind>> engines{{"auto", std::nullopt}};
  for (const engine_kind kind : engine_kinds) engines.emplace_back(name(kind), kind);
  add_choice<std::optional<engine_kind>>(
      command, "--gpu-engine", std::move(engines),
      [&into](std::optional<engine_kind> value) { into.gpu.engine = value; },
      "how GPUs run the task; auto (the default) chooses,\n"
      "and the summary says why");
  add_choice<std::optional<unsigned>>(
      command, "--gpu-block-tables", {{"auto", std::nullopt}, {"0", 0}, {"1", 1}, {"2", 2}, {"4", 4}},
      [&into](std::optional<unsigned> value) { into.gpu.block_tables = value; },
      "hash engine: tables that a block of\n"
      "threads keeps in shared memory; each table serves\n"
      "a part of the threads; 0: device memory only");
  old_option_name(command, "--engine", "--gpu-engine");
  old_option_name(command, "--block-tables", "--gpu-block-tables");
}

void add_threads(CLI::App& command, run_arguments& into) {
  add_count(command, "--threads", into.threads,
            "CPU threads; the default is all cores that this\n"
            "process may use");
}

void add_limit(CLI::App& command, run_arguments& into) {
  command
      .add_option_function<std::string>(
          "--memory", [&into](const std::string& text) { into.memory = parse_bytes("--memory", text); },
          "memory that keys, values and rows may take; more\n"
          "is an error (status 4). Default: three quarters of\n"
          "the free memory")
      ->type_name("BYTES")
      ->take_last();
  old_option_name(command, "--limit", "--memory");
}

void add_profile(CLI::App& command, run_arguments& into) {
  command
      .add_option("--profile", into.profile,
                  "where speeds are remembered from run to run: off,\n"
                  "read-only, or a folder; the default is what\n"
                  "DUOMAP_PROFILE says, else the cache directory")
      ->type_name("WHERE")
      ->take_last();
}

// Parses a list of GPU numbers: "0,1".
std::vector<int> parse_gpus(const std::string& text) {
  std::vector<int> all;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (true) {
    int one = -1;
    const auto [behind, status] = std::from_chars(at, end, one);
    if (status != std::errc() || one < 0 || (behind != end && *behind != ',')) {
      throw usage_error("--gpus is '" + text +
                        "'; give numbers of GPUs, as duomap doctor lists them: 0 or 0,1");
    }
    all.push_back(one);
    if (behind == end) return all;
    at = behind + 1;
  }
}

void add_gpus(CLI::App& command, run_arguments& into) {
  command
      .add_option_function<std::string>(
          "--gpus", [&into](const std::string& text) { into.gpus = parse_gpus(text); },
          "the GPUs that may take part, by the numbers that\n"
          "duomap doctor lists: 0 or 0,1; the default is all")
      ->type_name("LIST")
      ->take_last();
}

void add_execution(CLI::App& command, run_arguments& into) {
  add_choice<device_choice>(
      command, "--device",
      {{"auto", device_choice::automatic},
       {"cpu", device_choice::cpu},
       {"gpu", device_choice::gpu},
       {"cpu+gpu", device_choice::cpu_gpu}},
      [&into](device_choice value) { into.device = value; },
      "where to run; auto (the default) leaves out what\n"
      "this machine lacks and says so");
  add_gpus(command, into);
  add_engine(command, into);
  command
      .add_option_function<std::string>(
          "--share", [&into](const std::string& text) { into.share = parse_share(text); },
          "how CPU and GPUs share the input: auto (the\n"
          "default: by measured speed), or gpu=0.8 (that\n"
          "share to the GPUs)")
      ->type_name("HOW")
      ->take_last();
  old_option_name(command, "--split", "--share");
  add_limit(command, into);
  command.add_flag("--strict", into.strict,
                   "end with an error when a GPU fails during the run\n"
                   "instead of doing its work elsewhere");
  command.add_flag("--deterministic", into.deterministic,
                   "floating-point results with the same bits on all\n"
                   "devices: sums that do not depend on the order of\n"
                   "addition");
  add_threads(command, into);
}

void add_rows(CLI::App& command, run_arguments& into) {
  add_count(command, "--top", into.top,
            "only the N rows with the largest values; among\n"
            "equal values the smallest keys");
  add_choice<row_order>(
      command, "--sort", {{"none", row_order::none}, {"key", row_order::key}, {"value", row_order::value}},
      [&into](row_order value) { into.order = value; },
      "order of the rows: key (ascending, by bytes),\n"
      "value (descending, then by key) or none (any;\n"
      "the default without --top; with it: value)");
  add_choice<std::optional<table_format>>(
      command, "--format",
      {{"auto", std::nullopt},
       {"tsv", table_format::tsv},
       {"csv", table_format::csv},
       {"jsonl", table_format::jsonl}},
      [&into](std::optional<table_format> value) {
        into.format = value.value_or(table_format::tsv);
        into.may_align = !value;
      },
      "auto (the default): tsv; the rows of --top stand in\n"
      "columns on a terminal;\n"
      "tsv: no header; \\\\ \\t \\n \\r stand for the four\n"
      "bytes that would break a line;\n"
      "csv: header and quotes as in RFC 4180;\n"
      "jsonl: an object per row; text that is not UTF-8\n"
      "is in NAME_base64");
}

void add_output(CLI::App& command, run_arguments& into) {
  command
      .add_option("-o,--output", into.output,
                  "write the result to FILE, which appears or changes\n"
                  "only when it is complete")
      ->type_name("FILE")
      ->take_last();
  command.add_flag("--json", into.json_summary,
                   "print the summary on standard error as one JSON\n"
                   "object, and before it, once a second, one that\n"
                   "says how far the run is");
  command.add_option("--summary", into.summary, "save the JSON summary in FILE")
      ->type_name("FILE")
      ->take_last();
}

void add_explanation(CLI::App& command, run_arguments& into) {
  command.add_flag("--explain", into.explain,
                   "the summary also shows what each device did,\n"
                   "and why");
  command
      .add_option("--trace", into.trace,
                  "save a timeline of every thread in FILE, for\n"
                  "chrome://tracing or Perfetto")
      ->type_name("FILE")
      ->take_last();
  command
      .add_option("--report", into.report,
                  "save a page in FILE that explains the run in\n"
                  "pictures; any browser opens it, without a network")
      ->type_name("FILE")
      ->take_last();
  add_profile(command, into);
}

void add_quiet(CLI::App& command, run_arguments& into) {
  command.add_flag("--quiet", into.quiet,
                   "no progress and no summary; errors are always\n"
                   "shown");
  add_choice<colour_choice>(command, "--color",
                            {{"auto", colour_choice::automatic},
                             {"always", colour_choice::always},
                             {"never", colour_choice::never}},
                            choose_colour,
                            "colours of messages; auto (the default): on a\n"
                            "terminal, unless NO_COLOR is set");
}

void add_verify(CLI::App& command, run_arguments& into) {
  command.add_flag("--verify", into.verify,
                   "first check, on values from the input, that the\n"
                   "task keeps the laws it declares");
}

}  // namespace duomap::apps
