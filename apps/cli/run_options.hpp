// The options that every `duomap run APP` understands.
#pragma once

#include "apps/cli/result_files.hpp"
#include "core/input/input.hpp"
#include "core/job_options.hpp"
#include "core/output/table_writer.hpp"
#include "core/split_policy.hpp"
#include "scheduler/history/profile_store.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace duomap::apps {

/// Order of the rows.
enum class row_order {
  none,   ///< unspecified
  key,    ///< ascending key bytes
  value,  ///< descending value; rows of equal value by ascending key bytes
};

/// What of a run is to be done.
enum class run_stage {
  whole,  ///< `duomap run`
  map,    ///< `duomap map`: a part of the input; the result is a stored partial
  merge,  ///< `duomap merge`: the paths are stored partials
};

/// Which of so many parts, counted from 1.
struct slice_choice {
  std::uint64_t index = 1;
  std::uint64_t count = 1;
};

/// What the user asked for, checked: every field can be acted on as it is.
struct run_options {
  std::vector<std::string> paths;  ///< at least one; "-" is standard input
  run_stage stage = run_stage::whole;
  slice_choice slice = {};    ///< of a map
  bool keep_partial = false;  ///< a merge gives a stored partial
  std::optional<slice_choice>
      partitions;              ///< of a merge: the keys of this part of all partitions; none: all keys
  bool no_decompress = false;  ///< the stored bytes are the input
  device_choice device = device_choice::automatic;
  std::vector<int> gpus;                 ///< of those that may take part; none: all
  std::optional<engine_kind> engine;     ///< the engine of GPUs; nothing: the one that suits the task
  std::optional<unsigned> block_tables;  ///< of the hash engine; nothing: by the task
  std::optional<unsigned> threads;       ///< CPU workers, at least 1; nothing: all usable cores
  std::optional<std::uint64_t> top;   ///< keep the rows with the largest values (ties: smallest keys); >= 1
  row_order order = row_order::none;  ///< order of the rows that are kept; `value` if only --top was given
  table_format format = table_format::tsv;
  bool may_align = true;               ///< nobody named the format: a terminal may get a few rows in columns
  std::string output = "-";            ///< path of the result, or "-" for standard output
  bool json_summary = false;           ///< the summary is one JSON object on standard error
  std::optional<std::string> summary;  ///< path that gets the JSON summary
  bool quiet = false;                  ///< no progress, no human summary; errors are always shown
  bool verify = false;                 ///< check the task's laws on its own input
  std::uint64_t collect_bytes = 0;     ///< memory for rows of tasks that collect them; 0: by what is free
  split_choice split;                  ///< how CPU and GPUs share the input
  bool strict = false;                 ///< a GPU that is lost ends the run
  bool deterministic = false;          ///< floating-point results with the same bits on all devices
  bool explain = false;                ///< the summary shows the plan and what each device did
  std::optional<std::string> trace;    ///< path that gets a timeline for chrome://tracing
  std::optional<std::string> report;   ///< path that gets a page that explains the run
  std::string command;                 ///< what was typed, for that page
  bool timeline = false;               ///< recorded also without these two
  std::optional<std::string> profile;  ///< "off", "read-only" or a folder; nothing: what DUOMAP_PROFILE says
  /// Of a task of indices: how many there are. They are its input in place of paths.
  std::optional<std::uint64_t> indices;
  /// Only so many bytes of what is mapped of the input: what calibration runs on.
  std::optional<std::uint64_t> first_bytes;
};

/// The input that the options name, or its first part; `content` is what the application reads. Of a merge,
/// which reads no input, an empty one.
[[nodiscard]] input input_of(const run_options& options, input_content content = input_content::text);

/// Where profiles are kept: what the options say, else the environment.
[[nodiscard]] scheduler::profile_options profile_options_for(const run_options& options);

/// The same as duomap::run() takes them. Where profiles are kept is asked of the environment.
[[nodiscard]] job_options job_options_for(const run_options& options, run_control& control,
                                          run_report& report);

/// Whether something shows when which thread did what.
[[nodiscard]] bool wants_timeline(const run_options& options);

/// For tasks without floating point: what the report says when deterministic results were asked for.
void note_exact_task(const run_options& options, run_report& report);

/// The app::input_option of a task of indices.
inline constexpr std::string_view indices_option = "--indices";

/// Adds the options to `command`; parsing it fills `into`, which must outlive the parse. A `top` without an
/// `order` is resolved by the parse too. `input_option`: what names the input in place of PATH, and may be
/// left out; empty: PATH does. indices_option: the number of indices is the input, and must be given.
/// `files`: what else names files.
void add_run_options(CLI::App& command, run_options& into, std::string_view input_option = {},
                     const file_options& files = {});

/// The options of `duomap map APP` and of `duomap merge APP`.
void add_map_options(CLI::App& command, run_options& into, std::string_view input_option = {});
void add_merge_options(CLI::App& command, run_options& into);

/// The options of `duomap calibrate`, and of `duomap calibrate APP`.
void add_calibration_options(CLI::App& command, run_options& into);
void add_application_calibration_options(CLI::App& command, run_options& into,
                                         std::string_view input_option = {});

}  // namespace duomap::apps
