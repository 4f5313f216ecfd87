#include "apps/bench/harness/bench_text.hpp"
#include "apps/bench/harness/comparison.hpp"
#include "apps/bench/harness/measured_program.hpp"
#include "apps/bench/harness/percentile.hpp"
#include "apps/bench/harness/piped_program.hpp"
#include "apps/bench/suites/benchmarks.hpp"
#include "apps/bench/suites/stringmatch_gpu_bench.hpp"
#include "apps/cli/options.hpp"
#include "apps/cli/quantity.hpp"
#include "apps/cli/talk.hpp"
#include "apps/tasks/stringmatch/pattern_list.hpp"
#include "core/error.hpp"
#include "core/record/words.hpp"
#include "cpu/cores.hpp"
#include "duomap.hpp"

#include <algorithm>
#include <fstream>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace duomap::apps {
namespace {

struct bench_options {
  std::vector<std::string> paths;
  std::uint64_t bytes = 2'000'000'000;
  std::vector<std::uint32_t> counts = {1, 10, 1000};
  std::vector<std::string> patterns;
  std::uint64_t seed = 1;
  unsigned rounds = 5;
  bool on_gpu = false;
};

/// Different words of at least five bytes that occur in the beginning of a text, in random order.
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

struct program {
  std::string name;
  unsigned threads;
  std::string path;
  std::vector<std::string> arguments;
};

std::vector<program> programs_for(const std::string& text, const std::string& patterns) {
  const unsigned cores = cpu::usable_cores().cores;
  std::vector<program> all;
  const auto duomap = [&](unsigned threads) {
    all.push_back({"duomap",
                   threads,
                   measured_program(),
                   {"duomap", "run", "stringmatch", "--quiet", "--profile", "off", "--device", "cpu",
                    "--threads", std::to_string(threads), "--patterns", patterns, text}});
  };
  duomap(1);
  if (cores > 1) duomap(cores);
  // The same columns as ours; -a because no text is taken for binary here.
  if (const std::string path = find_program("rg"); !path.empty()) {
    all.push_back(
        {"ripgrep",
         1,
         path,
         {"rg", "--no-config", "-a", "-F", "-o", "-b", "-n", "-H", "--no-heading", "-f", patterns, text}});
  }
  if (const std::string path = find_program("grep"); !path.empty())
    all.push_back({"grep", 1, path, {"grep", "-a", "-F", "-o", "-b", "-n", "-H", "-f", patterns, text}});
  return all;
}

/// The rows of the table for one set of patterns.
std::vector<bench_row> measure(const pattern_set& set, const std::string& text, const std::string& subject,
                               std::uint64_t bytes, unsigned rounds, const run_control& control) {
  std::string lines;
  for (const std::string& one : set.patterns) lines += one + "\n";
  const bench_text file(lines);
  std::vector<variant> variants;
  for (const program& one : programs_for(text, file.path())) {
    const auto run = [one] {
      const piped_run ended = run_piped(one.path, one.arguments);
      if (ended.status > 1)
        throw error(exit_status::failed,
                    one.path + " ended with status " + std::to_string(ended.status) + " while it was timed");
      timed_run timed{.seconds = ended.seconds,
                      .processor_seconds = ended.processor_seconds,
                      .figures = {{"of a core", 0, "GB/s"}, {"rows", static_cast<double>(ended.rows)}}};
      // Other programs report fewer rows where matches overlap.
      if (one.name == "duomap") timed.answer = answer_digest{.rows = ended.rows};
      return timed;
    };
    variants.push_back({.name = one.name, .threads = one.threads, .run = run});
  }
  const bench_work work{static_cast<double>(bytes), "B"};
  const std::vector<series> measured = comparison(control).in_turn(variants, rounds_of_one_run(rounds));
  std::vector<bench_row> rows = rows_of(variants, measured, set.name + " in " + subject, work);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].figures[0].value = work.amount / median(measured[i].processor_seconds()) / 1e9;
    rows[i].checked = rows[i].figures[1].value == rows[0].figures[1].value;
  }
  for (bench_row& row : rows) row.speed_up = speed_up_over(rows.back(), row);
  return rows;
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
  if (options.on_gpu)
    return bench_stringmatch_on_gpu(text.path(), text.description(), sets, rounds, context.control);
  const std::uint64_t bytes = open_input({text.path()}).stored_bytes();
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
    const std::string subject = text.description() + ", " + bytes_text(bytes);
    for (bench_row& row : measure(set, text.path(), subject, bytes, rounds, context.control))
      table.rows.push_back(std::move(row));
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
