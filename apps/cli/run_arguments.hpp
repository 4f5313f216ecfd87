// Adds the options that every `duomap run APP` understands.
#pragma once

#include "apps/cli/result_files.hpp"
#include "core/input/input.hpp"
#include "core/output/table_writer.hpp"
#include "core/run_options.hpp"
#include "core/share_policy.hpp"
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

/// The orders of the rows.
enum class row_order {
  none,   ///< unspecified
  key,    ///< ascending key bytes
  value,  ///< descending value; rows of equal value by ascending key bytes
};

/// The stage of a run that a command does.
enum class run_stage {
  whole,  ///< `duomap run`
  map,    ///< `duomap map`: a part of the input; the result is a stored partial
  merge,  ///< `duomap merge`: the paths are stored partials
};

/// Part `index` of `count` parts. The first part is number 1.
struct slice_choice {
  std::uint64_t index = 1;
  std::uint64_t count = 1;
};

/// The user's choices. They are checked, so code can use every field as it is.
struct run_arguments {
  std::vector<std::string> paths;  ///< input paths; "-" is standard input
  run_stage stage = run_stage::whole;
  slice_choice slice = {};    ///< for a map
  bool keep_partial = false;  ///< for a merge: the result is a stored partial again
  std::optional<slice_choice>
      partitions;              ///< for a merge: keys in this part of the partitions; nothing: all keys
  bool no_decompress = false;  ///< read compressed files as they are stored
  device_choice device = device_choice::automatic;
  std::vector<int> gpus;              ///< the GPUs that may take part; empty: all
  gpu_settings gpu;                   ///< the engine of GPUs
  std::optional<unsigned> threads;    ///< CPU workers, at least 1; nothing: all usable cores
  std::optional<std::uint64_t> top;   ///< keep the rows with the largest values (ties: smallest keys); >= 1
  row_order order = row_order::none;  ///< order of the rows that are kept; `value` if only --top was given
  table_format format = table_format::tsv;
  bool may_align = true;               ///< the user named no format: a terminal may get a few rows in columns
  std::string output = "-";            ///< path of the result, or "-" for standard output
  bool json_summary = false;           ///< the summary is one JSON object on standard error
  std::optional<std::string> summary;  ///< path that gets the JSON summary
  bool quiet = false;                  ///< no progress, no human summary; errors are always shown
  bool verify = false;                 ///< check the task's laws on its own input
  std::uint64_t memory = 0;            ///< bytes for keys, values and rows; 0: the free memory decides
  share_choice share;                  ///< how CPU and GPUs share the input
  bool strict = false;                 ///< a lost GPU ends the run
  bool deterministic = false;          ///< floating-point results with the same bits on all devices
  bool explain = false;                ///< the summary explains the work of each device
  std::optional<std::string> trace;    ///< path that gets a timeline for chrome://tracing
  std::optional<std::string> report;   ///< path that gets a page that explains the run
  std::string command;                 ///< the command line as typed, for that page
  bool timeline = false;               ///< record a timeline even without `trace` and `report`
  std::optional<std::string> profile;  ///< "off", "read-only" or a folder; nothing: DUOMAP_PROFILE decides
  /// The input of a task of indices, in place of paths: the number of indices.
  std::optional<std::uint64_t> indices;
  /// The number of bytes, from the beginning of the input, that the run maps. Calibration sets it.
  std::optional<std::uint64_t> first_bytes;
};

/// The input that the options name; with `first_bytes` only its beginning. A merge gets an empty input.
/// `content`: the kind of input that the application reads.
[[nodiscard]] input input_of(const run_arguments& options, input_content content = input_content::text);

/// The folder of profiles and its use: from the options, else from the environment.
[[nodiscard]] scheduler::profile_options profile_options_for(const run_arguments& options);

/// The options in the form of duomap::run(), with profile_options_for() for the place of profiles. `report`
/// may be null.
[[nodiscard]] run_options run_options_for(const run_arguments& options, run_control& control,
                                          run_report* report);

/// Whether a timeline must be recorded: for --trace, --report or `timeline`.
[[nodiscard]] bool wants_timeline(const run_arguments& options);

/// For tasks without floating point: if the user asked for deterministic results, adds a note to the report
/// that the task always has them.
void note_exact_task(const run_arguments& options, run_report& report);

/// The app::input_option of a task of indices.
inline constexpr std::string_view indices_option = "--indices";

/// Adds the options to `command`. Parsing fills `into`, which must outlive the parse. `input_option`: the
/// option that names the input in place of PATH, and may be left out; empty: PATH names the input. With
/// indices_option the user must give a number of indices. `files`: other options that name files.
void add_run_options(CLI::App& command, run_arguments& into, std::string_view input_option = {},
                     const file_options& files = {});

/// The options of `duomap map APP` and of `duomap merge APP`.
void add_map_options(CLI::App& command, run_arguments& into, std::string_view input_option = {});
void add_merge_options(CLI::App& command, run_arguments& into);

/// The options of `duomap calibrate`, and of `duomap calibrate APP`.
void add_calibration_options(CLI::App& command, run_arguments& into);
void add_application_calibration_options(CLI::App& command, run_arguments& into,
                                         std::string_view input_option = {});

}  // namespace duomap::apps
