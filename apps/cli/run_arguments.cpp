// Adds the options of runs, maps, merges and calibrations, and turns them into a job.
#include "apps/cli/run_arguments.hpp"

#include "apps/cli/option_groups.hpp"
#include "apps/report/explanation.hpp"
#include "core/error.hpp"

#include <CLI/CLI.hpp>

#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace duomap::apps {

namespace {

// Refuses files that cannot be written, and one file in two places (require_own_files()).
void check_files(const CLI::App& command, const run_arguments& given, const file_options& own = {}) {
  if (given.summary && (given.summary->empty() || *given.summary == "-")) {
    throw usage_error("--summary needs the name of a file; --json prints the summary on standard error");
  }
  if (given.trace && (given.trace->empty() || *given.trace == "-")) {
    throw usage_error("--trace needs the name of a file");
  }
  if (given.report && (given.report->empty() || *given.report == "-")) {
    throw usage_error("--report needs the name of a file; standard output is for the result");
  }
  require_own_files(command, given.paths, given.output, own);
}

void check_devices(const run_arguments& options) {
  if (options.device == device_choice::cpu && !options.gpus.empty())
    throw usage_error("--gpus names GPUs, and with --device cpu none takes part");
}

// --top without --sort orders the rows by value.
void order_for_top(const CLI::App& command, run_arguments& given) {
  if (given.top && command.get_option("--sort")->empty()) given.order = row_order::value;
}

// A partial cannot go to standard output, because it is no text, and a merge reads its end first.
void require_file_for_partial(const run_arguments& given) {
  if (given.output == "-") throw usage_error("a partial is written to a file: give -o FILE");
}

// Parses part I of N: "3/8".
slice_choice parse_slice(const std::string& option, const std::string& text) {
  slice_choice slice;
  const char* const end_of_text = text.data() + text.size();
  const auto [slash, problem] = std::from_chars(text.data(), end_of_text, slice.index);
  if (problem == std::errc() && slash != end_of_text && *slash == '/') {
    const auto [end, its_problem] = std::from_chars(slash + 1, end_of_text, slice.count);
    if (its_problem == std::errc() && end == end_of_text && slice.index >= 1 && slice.index <= slice.count &&
        slice.count <= UINT32_MAX)
      return slice;
  }
  throw usage_error(option + " is '" + text + "'; give I/N, such as 3/8 for the third of eight parts");
}

void add_slice(CLI::App& command, const std::string& option,
               const std::function<void(const slice_choice&)>& accept, const std::string& help) {
  command
      .add_option_function<std::string>(
          option, [option, accept](const std::string& text) { accept(parse_slice(option, text)); }, help)
      ->type_name("I/N")
      ->take_last();
}

void require_paths(const run_arguments& given) {
  if (given.paths.empty()) throw usage_error("give at least one PATH, or - for standard input");
}

void require_input(const run_arguments& given, std::string_view input_option) {
  if (input_option.empty()) return require_paths(given);
  if (input_option == indices_option && !given.indices)
    throw usage_error("give --indices N: the task maps the indices 0 to N - 1");
}

}  // namespace

input input_of(const run_arguments& options, input_content content) {
  if (options.stage == run_stage::merge) return index_input(0);
  if (options.indices) return index_input(*options.indices);
  input all = open_input(options.paths, options.no_decompress ? input_content::stored : content);
  return options.first_bytes ? first_units(std::move(all), *options.first_bytes) : std::move(all);
}

scheduler::profile_options profile_options_for(const run_arguments& options) {
  return scheduler::profile_options_from([&](const char* name) {
    const bool given = options.profile && std::string_view(name) == "DUOMAP_PROFILE";
    return given ? options.profile->c_str() : std::getenv(name);
  });
}

run_options run_options_for(const run_arguments& options, run_control& control, run_report* report) {
  const scheduler::profile_options profiles = profile_options_for(options);
  return {.device = options.device,
          .gpus = options.gpus,
          .gpu = options.gpu,
          .threads = options.threads.value_or(0),
          .share = options.share,
          .memory = options.memory,
          .strict = options.strict,
          .profiles = profiles.access == scheduler::profile_access::off ? "" : profiles.folder,
          .learn = profiles.access == scheduler::profile_access::read_write,
          .timeline = wants_timeline(options),
          .control = &control,
          .report = report};
}

bool wants_timeline(const run_arguments& options) {
  return options.timeline || options.trace || options.report;
}

void note_exact_task(const run_arguments& options, run_report& report) {
  if (options.deterministic) report.notes.emplace_back(exact_task_note);
}

void add_run_options(CLI::App& command, run_arguments& into, std::string_view input_option,
                     const file_options& files) {
  add_paths(command, into, input_option);
  add_execution(command, into);
  add_rows(command, into);
  add_output(command, into);
  add_explanation(command, into);
  add_quiet(command, into);
  add_verify(command, into);
  command.parse_complete_callback([&command, &into, input_option, files] {
    require_input(into, input_option);
    order_for_top(command, into);
    check_files(command, into, files);
    check_devices(into);
  });
}

void add_map_options(CLI::App& command, run_arguments& into, std::string_view input_option) {
  add_paths(command, into, input_option);
  add_slice(
      command, "--slice", [&into](const slice_choice& slice) { into.slice = slice; },
      "map part I of N parts of the input, which have\n"
      "about the same number of bytes; the default is all\n"
      "of it. Give every part the same " +
          std::string(input_option.empty() ? "PATHs" : input_option));
  add_execution(command, into);
  add_output(command, into);
  add_explanation(command, into);
  add_quiet(command, into);
  add_verify(command, into);
  command.parse_complete_callback([&command, &into, input_option] {
    into.stage = run_stage::map;
    require_input(into, input_option);
    require_file_for_partial(into);
    check_files(command, into);
    check_devices(into);
  });
}

void add_merge_options(CLI::App& command, run_arguments& into) {
  command
      .add_option("PARTIAL", into.paths,
                  "what `duomap map` or another merge has written;\n"
                  "of parts that are given twice one is counted")
      ->type_name("");
  command.add_flag("--no-decompress", into.no_decompress, "the parts were mapped with --no-decompress");
  command.add_flag("--deterministic", into.deterministic, "the parts were mapped with --deterministic");
  command.add_flag("--partial", into.keep_partial,
                   "write a partial instead of the result; the input\n"
                   "need not be whole");
  add_slice(
      command, "--keys", [&into](const slice_choice& keys) { into.partitions = keys; },
      "only the rows of part I of N of the keys, which are\n"
      "divided by hash: a result that no machine can hold\n"
      "is written in N files");
  add_limit(command, into);
  add_threads(command, into);
  add_rows(command, into);
  add_output(command, into);
  add_quiet(command, into);
  command.parse_complete_callback([&command, &into] {
    into.stage = run_stage::merge;
    if (into.paths.empty()) throw usage_error("give at least one PARTIAL, which `duomap map` writes");
    order_for_top(command, into);
    if (into.keep_partial) {
      for (const char* const of_rows : {"--keys", "--top", "--sort", "--format"}) {
        const CLI::Option* const given = command.get_option_no_throw(of_rows);
        if (given != nullptr && given->count() > 0)
          throw usage_error(
              std::string(of_rows) +
              " is for rows, and --partial writes none; give it to the merge that writes the result");
      }
      require_file_for_partial(into);
    }
    check_files(command, into);
  });
}

void add_calibration_options(CLI::App& command, run_arguments& into) {
  add_threads(command, into);
  add_profile(command, into);
  command.add_flag("--json", into.json_summary, "print one JSON object instead of tables");
}

void add_application_calibration_options(CLI::App& command, run_arguments& into,
                                         std::string_view input_option) {
  add_paths(command, into, input_option);
  add_engine(command, into);
  add_calibration_options(command, into);
  command.parse_complete_callback([&into] { require_paths(into); });
}

}  // namespace duomap::apps
