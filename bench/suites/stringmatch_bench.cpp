// Measures string match beside ripgrep and grep, and on GPUs.
#include "apps/cli/console.hpp"
#include "apps/cli/options.hpp"
#include "apps/report/quantity.hpp"
#include "apps/tasks/stringmatch/matches.hpp"
#include "apps/tasks/stringmatch/pattern_list.hpp"
#include "apps/tasks/stringmatch/stringmatch.hpp"
#include "bench/harness/bench_context.hpp"
#include "bench/harness/bench_text.hpp"
#include "bench/harness/comparison.hpp"
#include "bench/harness/device_modes.hpp"
#include "bench/harness/measured_program.hpp"
#include "bench/harness/percentile.hpp"
#include "bench/harness/piped_program.hpp"
#include "bench/suites/benchmarks.hpp"
#include "core/error.hpp"
#include "core/record/words.hpp"
#include "cpu/cores.hpp"
#include "cpu/machine_pool.hpp"
#include "duomap.hpp"
#include "gpu/device/device.hpp"
#include "gpu/run_resident.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace duomap::apps {
namespace {

/// Patterns that one run searches for, and their name in tables.
struct pattern_set {
  std::string name;
  std::vector<std::string> patterns;
};

struct bench_options {
  std::vector<std::string> paths;
  std::uint64_t bytes = 2'000'000'000;
  std::vector<std::uint32_t> counts = {1, 10, 1000};
  std::vector<std::string> patterns;
  std::uint64_t seed = 1;
  unsigned rounds = 5;
  bool on_gpu = false;
};

/// The different words of at least five bytes in the first 20 MB of a text, in random order.
std::vector<std::string> words_of(const std::string& path, std::uint64_t seed) {
  constexpr std::uint64_t looked_at = 20'000'000;
  std::ifstream file(path, std::ios::binary);
  std::string text(looked_at, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  std::vector<std::string> all;
  words{}.for_each_record({text.data(), text.size(), 0, 0}, [&](byte_view word) {
    if (word.size >= 5) all.emplace_back(word.text());
  });
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  std::ranges::shuffle(all, std::mt19937_64(seed));
  return all;
}

std::vector<pattern_set> sets_of(const bench_options& options, const std::string& path) {
  if (!options.patterns.empty()) return {{"those given", options.patterns}};
  const std::vector<std::string> all = words_of(path, options.seed);
  std::vector<pattern_set> sets;
  for (const std::uint32_t count : options.counts) {
    if (count > all.size())
      throw usage_error("the text has " + count_text(all.size(), "different word") +
                        " of at least five bytes, and --counts asks for " + std::to_string(count));
    const auto end = all.begin() + static_cast<std::ptrdiff_t>(count);
    sets.push_back({count == 1 ? "'" + all.front() + "'" : count_text(count, "word"), {all.begin(), end}});
  }
  return sets;
}

std::vector<variant> variants_for(const std::string& text, const std::string& patterns) {
  std::vector<variant> all;
  const auto add = [&](const std::string& name, unsigned threads, const std::string& path,
                       const std::vector<std::string>& arguments) {
    const auto run = [=] {
      const piped_run ended = run_piped(path, arguments);
      require_status(ended, path, 1);
      timed_run timed{.seconds = ended.seconds,
                      .processor_seconds = ended.processor_seconds,
                      .figures = {{"of a core", 0, "GB/s"}, {"rows", static_cast<double>(ended.rows)}}};
      // ripgrep and grep report fewer rows if matches overlap, so only duomap's rows are compared.
      if (name == "duomap") timed.answer = answer_digest{.rows = ended.rows};
      return timed;
    };
    if (!path.empty()) all.push_back({.name = name, .threads = threads, .run = run});
  };
  for (const unsigned threads : std::set{1u, cpu::usable_cores().cores})
    add("duomap", threads, measured_program(),
        {"duomap", "run", "stringmatch", "--quiet", "--profile", "off", "--device", "cpu", "--threads",
         std::to_string(threads), "--patterns", patterns, text});
  // The options make ripgrep and grep print duomap's columns; -a makes them read every file as text.
  add("ripgrep", 1, find_program("rg"),
      {"rg", "--no-config", "-a", "-F", "-o", "-b", "-n", "-H", "--no-heading", "-f", patterns, text});
  add("grep", 1, find_program("grep"), {"grep", "-a", "-F", "-o", "-b", "-n", "-H", "-f", patterns, text});
  return all;
}

/// Measures all programs for one set of patterns and returns their rows.
std::vector<bench_row> measure(const pattern_set& set, const bench_text& text, unsigned rounds,
                               const run_control& control) {
  std::string lines;
  for (const std::string& one : set.patterns) lines += one + "\n";
  const bench_text file(lines);
  const std::vector<variant> variants = variants_for(text.path(), file.path());
  const std::vector<series> measured = comparison(control).in_turn(variants, rounds_of_one_run(rounds));
  std::vector<bench_row> rows = rows_of(variants, measured, set.name + " in " + text.subject(), text.work());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].figures[0].value = rows[i].work.amount / median(measured[i].processor_seconds()) / 1e9;
    rows[i].checked = rows[i].figures[1].value == rows[0].figures[1].value;
  }
  for (bench_row& row : rows) row.speed_up = speed_up_over(rows.back(), row);
  return rows;
}

// Larger than the second-level cache of any GPU, and smaller than any GPU's memory.
constexpr std::uint64_t resident_bytes = std::uint64_t{800} * 1000 * 1000;

/// Equal matches in the same order have equal digests.
answer_digest digest_of(const result_for<stringmatch>& found) {
  answer_digest answer;
  for_each_match(found, [&](const match& one) {
    const std::array<std::uint64_t, 4> parts = {one.source, one.offset, one.line, one.pattern};
    answer.add(reinterpret_cast<const char*>(parts.data()), sizeof parts, answer.rows);
  });
  return answer;
}

/// Searches once; the clock runs from opening the file to the matches in memory.
timed_run match_once(const stringmatch& task, const std::string& path, device_choice device) {
  timed_run one;
  const stopwatch clock;
  const auto found = run(task, open_input({path}), {.device = device});
  one.seconds = clock.seconds();
  one.answer = digest_of(found);
  return one;
}

/// Searches a text for each set: `rounds` times on one GPU, then on CPU and GPU together and on the CPU.
/// Compares the matches with the CPU's. CUDA starts before the clock; everything else is timed, from opening
/// the file to the matches in memory.
/// @throws device_unavailable when there is no GPU; error when answers differ; interrupted
std::vector<bench_table> bench_on_gpu(const bench_text& text, const std::vector<pattern_set>& sets,
                                      unsigned rounds, const run_control& control) {
  const pattern_list some({"CUDA"}, false);
  static_cast<void>(run(stringmatch(some), text_input("start CUDA"), {.device = device_choice::gpu}));

  const gpu::device_info& device = first_gpu();
  bench_table table{
      .name = "stringmatch-gpu",
      .title = "String match, GPU: " + device.name,
      .subject = text.subject() + "; from opening the file to the matches in memory, CUDA started before",
      .plotted = bench_axis::rate};
  for (const pattern_set& set : sets) {
    const pattern_list patterns(set.patterns, false);
    const stringmatch task(patterns);
    comparison all(control);
    const auto measure = [&](device_choice on, unsigned runs, bool first_is_cold = false) {
      const auto match = [&] {
        return match_once(task, text.path(), on);
      };
      bench_row& row =
          all.add_alone(variant_on(on, "duomap", match, first_is_cold), runs, set.name, text.work(), table);
      row.figures = {{"matches", static_cast<double>(all.answer().rows)}};
    };
    measure(device_choice::gpu, rounds, true);
    measure(device_choice::cpu_gpu, rounds);
    measure(device_choice::cpu, std::min(rounds, 3u));

    if constexpr (gpu::has_code<stringmatch>) {
      const input texts = open_input({text.path()});
      const byte_view whole = texts[0].bytes();
      byte_view part = whole.sub(0, std::min(whole.size, resident_bytes));
      while (part.size > 0 && part.size < whole.size && part[part.size - 1] != '\n') --part.size;
      if (part.size == 0) continue;  // a small file is not mapped
      const auto pool = cpu::machine_pool(0, texts);
      auto resident = gpu::run_resident(task, device.index, part, std::max(rounds, 3u), {}, *pool);
      const answer_digest on_gpu = digest_of(make_result(task, std::move(resident.found), *pool));
      require_same_answer(on_gpu == digest_of(run(task, view_input(part), {.device = device_choice::cpu})),
                          "the GPU", "the CPU");
      table.rows.push_back(row_on(device_choice::gpu, set.name,
                                  "duomap, " + bytes_text(part.size) + " in the GPU's memory",
                                  {static_cast<double>(part.size), "B"}, std::move(resident.seconds)));
      table.rows.back().figures = {{"matches", static_cast<double>(on_gpu.rows)}};
    }
  }
  return {table};
}

void add_options(CLI::App& command) {
  bench_options& options = options_of_this_run<bench_options>();
  add_required_paths(command, options.paths, "texts to search");
  add_number(command, "--bytes", options.bytes, "repeat the texts to at least this size");
  add_numbers(command, "--counts", options.counts, "how many words of the text are looked for at once",
              {.least = 1, .most = std::uint32_t{1} << 31});
  add_repeated_text(command, "--pattern", options.patterns,
                    "look for this instead; may be given several times");
  add_number(command, "--seed", options.seed, "of the choice of words");
  add_number(command, "--rounds", options.rounds, "timed runs of each program", {{.least = 1, .most = 1000}});
  add_flag(command, "--gpu", options.on_gpu,
           "measure the GPU and CPU and GPU together, instead of\n"
           "other programs on the CPU");
}

std::vector<bench_table> bench_stringmatch(const bench_context& context) {
  const bench_options& options = options_of_this_run<bench_options>();
  const unsigned rounds = context.rounds(options.rounds);
  say("preparing the text");
  const bench_text text(options.paths, context.size(options.bytes));
  const std::vector<pattern_set> sets = sets_of(options, text.path());
  if (options.on_gpu) return bench_on_gpu(text, sets, rounds, context.control);
  bench_table table{
      .name = "stringmatch",
      .title = "String match, CPU",
      .subject =
          "Every program from its start until its last row (file, offset, line, match) is read; rounds taken "
          "in turn. Ripgrep searches one file with one thread. Where matches overlap, only duomap reports "
          "all; answers count as equal where there are as many rows",
      .baseline = "the last",
      .plotted = bench_axis::rate};
  for (const pattern_set& set : sets) {
    say("looking for " + set.name);
    std::ranges::move(measure(set, text, rounds, context.control), std::back_inserter(table.rows));
  }
  return {table};
}

}  // namespace

const benchmark stringmatch_benchmark{
    .name = "stringmatch",
    .summary = "matches of patterns in a text, against one loop, ripgrep and grep",
    .add_options = add_options,
    .measure = bench_stringmatch,
};

}  // namespace duomap::apps
