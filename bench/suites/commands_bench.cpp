// Measures whole commands as a user types them, with the profiles of earlier runs. The time runs from the
// start of the process until its last row is read.
#include "apps/cli/console.hpp"
#include "apps/cli/options.hpp"
#include "apps/report/quantity.hpp"
#include "bench/harness/bench_context.hpp"
#include "bench/harness/bench_text.hpp"
#include "bench/harness/comparison.hpp"
#include "bench/harness/device_modes.hpp"
#include "bench/harness/measured_program.hpp"
#include "bench/harness/piped_program.hpp"
#include "bench/harness/temporary_folder.hpp"
#include "bench/suites/benchmarks.hpp"
#include "core/error.hpp"
#include "cpu/cores.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <fstream>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace duomap::apps {
namespace {

struct commands_options {
  std::string text;
  std::string log;
  std::vector<std::string> apps;
  std::uint64_t bytes = 0;
  unsigned rounds = 7;
  double cell_seconds = 30;
  bool on_gpu = false;
};

/// The kind of input that a command reads.
enum class content { text, log, points };

struct command {
  std::string_view app;
  content of;
  std::vector<std::string_view> arguments;
};

const std::array<command, 4>& all_commands() {
  static const std::array<command, 4> commands = {
      command{"wordcount", content::text, {}},
      command{"stringmatch", content::text, {"--pattern", "Pemberley"}},
      command{"pageviewcount", content::log, {}},
      command{"kmeans", content::points, {"--k", "20", "--max-iter", "5"}}};
  return commands;
}

constexpr std::uint32_t dimensions = 32;

/// Writes points of 32 numbers in single precision in NumPy's format, about `bytes` bytes.
std::string make_points(const temporary_folder& in, std::uint64_t bytes) {
  constexpr std::size_t header_bytes = 128;
  constexpr std::uint64_t block_points = 1 << 13;
  const std::uint64_t points = std::max<std::uint64_t>(bytes / (dimensions * sizeof(float)), 100);
  std::string header("\x93NUMPY\x01\x00", 8);
  header += static_cast<char>(header_bytes - 10);
  header += '\0';
  header += "{'descr': '<f4', 'fortran_order': False, 'shape': (" + std::to_string(points) + ", " +
            std::to_string(dimensions) + "), }";
  header.resize(header_bytes - 1, ' ');
  header += '\n';
  std::mt19937 random(1);
  std::normal_distribution<float> noise;
  std::vector<float> block;
  for (std::uint64_t i = 0; i < block_points; ++i) {
    const auto cluster = static_cast<float>(random() % 20);
    for (std::uint32_t j = 0; j < dimensions; ++j)
      block.push_back(cluster * static_cast<float>(j % 3) + noise(random));
  }
  const std::string path = in.path() + "/points.npy";
  std::ofstream file(path, std::ios::binary);
  file << header;
  for (std::uint64_t left = points; left > 0 && file;) {
    const std::uint64_t part = std::min(left, block_points);
    file.write(reinterpret_cast<const char*>(block.data()),
               static_cast<std::streamsize>(part * dimensions * sizeof(float)));
    left -= part;
  }
  file.flush();
  if (!file) throw output_error("cannot write " + path + "; set TMPDIR to a folder with more room");
  return path;
}

/// The file that a command reads; it is removed with its owner.
class command_input {
 public:
  command_input(content of, std::uint64_t bytes, const commands_options& options) {
    if (of == content::points) {
      path_ = make_points(points_.emplace(), bytes);
    } else {
      const bool is_text = of == content::text;
      const std::string& from = is_text ? options.text : options.log;
      if (!from.empty()) {
        text_.emplace(std::vector<std::string>{from}, bytes);
      } else if (is_text) {
        text_.emplace(50'000, 1, bytes);
      } else {
        throw usage_error("page views need a web log; name one with --log FILE");
      }
      path_ = text_->path();
    }
  }

  [[nodiscard]] const std::string& path() const noexcept { return path_; }

 private:
  std::optional<bench_text> text_;
  std::optional<temporary_folder> points_;
  std::string path_;
};

std::vector<device_choice> modes_of(const commands_options& options) {
  if (options.on_gpu) return {device_modes.begin(), device_modes.end()};
  return {device_choice::cpu, device_choice::automatic};
}

std::vector<bench_row> measure_cell(const command& one, std::uint64_t bytes, const commands_options& options,
                                    const bench_context& context) {
  const command_input input(one.of, bytes, options);
  // Each mode has its own folder of profiles, as for a user of that mode alone.
  std::deque<temporary_folder> profiles;
  std::vector<variant> variants;
  for (const device_choice mode : modes_of(options)) {
    std::vector<std::string> arguments = {"duomap",
                                          "run",
                                          std::string(one.app),
                                          "--quiet",
                                          "--profile",
                                          profiles.emplace_back().path(),
                                          "--device",
                                          device_text(mode)};
    arguments.insert(arguments.end(), one.arguments.begin(), one.arguments.end());
    arguments.push_back(input.path());
    variants.push_back({.name = "duomap",
                        .device = device_text(mode),
                        .threads = cpu::usable_cores().cores,
                        .run = [arguments]() -> std::optional<timed_run> {
                          const piped_run ended = run_piped(measured_program(), arguments);
                          require_status(ended, measured_program());
                          return timed_run{.seconds = ended.seconds,
                                           .processor_seconds = ended.processor_seconds,
                                           .answer = answer_digest{.rows = ended.rows}};
                        },
                        .warm_up = 2,
                        .first_is_cold = true});
  }
  const round_limits rounds{.least = std::min(3u, options.rounds),
                            .most = context.rounds(options.rounds),
                            .seconds = options.cell_seconds};
  const std::vector<series> measured =
      comparison(context.control).in_turn(variants, {.rounds = rounds, .order = turns::back_and_forth});
  std::vector<bench_row> rows = rows_of(variants, measured, std::string(one.app) + ", " + bytes_text(bytes),
                                        {static_cast<double>(bytes), "B"});
  if (!options.on_gpu) {
    rows[1].speed_up = speed_up_over(rows[0], rows[1]);
    return rows;
  }
  // Speed-ups compare every mode with the better device alone; `auto` is also compared with the best other
  // mode.
  for (std::size_t i = 0; i < rows.size(); ++i)
    rows[i].speed_up = speed_up_over(better_single_device(rows), rows[i]);
  double best = measured[0].middle();
  for (std::size_t i = 1; i + 1 < rows.size(); ++i) best = std::min(best, measured[i].middle());
  rows.back().figures.push_back({"over the best of the others", measured.back().middle() / best, "x"});
  return rows;
}

void add_options(CLI::App& command) {
  commands_options& options = options_of_this_run<commands_options>();
  add_text(command, "--text", options.text, "the text that is repeated (default: synthetic words)");
  add_text(command, "--log", options.log, "the web log that is repeated; without one, no page views");
  add_texts(command, "--app", options.apps, "only these applications");
  add_number(command, "--bytes", options.bytes,
             "one size of the input instead of 1 MB, 100 MB, 1 GB, 4 GB\nand 12 GB");
  add_number(command, "--rounds", options.rounds, "timed runs of each mode, in turn",
             number_range<std::uint32_t>{1, 100});
  add_number(command, "--cell-seconds", options.cell_seconds,
             "after three rounds, no further one when they took so long");
  add_flag(command, "--gpu", options.on_gpu, "also on a GPU, and on CPU and GPU together");
}

std::vector<bench_table> measure(const bench_context& context) {
  const commands_options& options = options_of_this_run<commands_options>();
  refuse_torture();
  bench_table table{
      .name = "commands",
      .title = "Whole commands",
      .subject =
          "From the start of the process until its last row is read; the input in cached files. Each mode "
          "has a profile folder of its own, which two runs before have filled. Modes taken in turn, "
          "there and back",
      .baseline = "the better device alone",
      .plot = bench_plot::none};
  for (const std::string& name : options.apps) {
    if (std::ranges::none_of(all_commands(), [&](const command& one) { return one.app == name; }))
      throw usage_error("there is no command of '" + name + "' here");
  }
  for (const std::uint64_t bytes :
       context.sizes(options.bytes, {1'000'000, 100'000'000, 1'000'000'000, 4'000'000'000, 12'000'000'000})) {
    for (const command& one : all_commands()) {
      const bool wanted = options.apps.empty()
                              ? one.of != content::log || !options.log.empty()
                              : std::ranges::find(options.apps, one.app) != options.apps.end();
      if (!wanted) continue;
      stop_if_cancelled(&context.control);
      say(std::string(one.app) + ", " + bytes_text(bytes));
      std::ranges::move(measure_cell(one, bytes, options, context), std::back_inserter(table.rows));
    }
  }
  return {table};
}

}  // namespace

const benchmark commands_benchmark{
    .name = "commands",
    .summary = "whole commands, from their start to their end, on each device",
    .description =
        "How long word count, string match, page views and k-means take as commands, with what starts and\n"
        "ends a process, on the CPU, on a GPU, on both, and as `auto` chooses.",
    .add_options = add_options,
    .measure = measure,
};

}  // namespace duomap::apps
