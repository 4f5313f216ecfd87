// Measures compressed text beside the plain file and beside decompression alone.
#include "apps/cli/console.hpp"
#include "apps/cli/options.hpp"
#include "apps/tasks/stringmatch/matches.hpp"
#include "apps/tasks/stringmatch/pattern_list.hpp"
#include "apps/tasks/stringmatch/stringmatch.hpp"
#include "apps/tasks/wordcount/wordcount.hpp"
#include "bench/baselines/decompress_alone.hpp"
#include "bench/data/compressed_files.hpp"
#include "bench/harness/bench_context.hpp"
#include "bench/harness/bench_text.hpp"
#include "bench/harness/comparison.hpp"
#include "bench/harness/device_modes.hpp"
#include "bench/suites/benchmarks.hpp"
#include "cpu/cores.hpp"
#include "duomap.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace duomap::apps {
namespace {

struct bench_options {
  std::vector<std::string> paths;
  std::uint64_t bytes = 400'000'000;
  unsigned rounds = 7;
  bool on_gpu = false;
};

constexpr const char* not_made = "this build lacks the library that compresses it";

/// The stored bytes of a file.
input stored_bytes(const std::string& path) { return open_input({path}, input_content::stored); }

/// Times `work`, which returns the answer.
template <class Work>
timed_run timed(const Work& work) {
  timed_run one;
  const stopwatch clock;
  one.answer = work(one.report);
  one.seconds = clock.seconds();
  return one;
}

/// Counts words; the clock runs from opening the file to the result.
timed_run count_once(const std::string& path, device_choice device) {
  return timed([&](run_report& report) {
    return digest_of_counts(run(wordcount{}, open_input({path}), {.device = device, .report = &report}));
  });
}

/// Searches for a pattern that does not occur, so that a run reads the whole text and reports nothing.
timed_run match_once(const std::string& path) {
  static const pattern_list patterns({"Zyxwvut"}, false);
  return timed([&](run_report& report) {
    const auto found =
        run(stringmatch(patterns), open_input({path}), {.device = device_choice::cpu, .report = &report});
    answer_digest answer;
    for_each_match(found, [&](const match&) { ++answer.rows; });
    return answer;
  });
}

timed_run decompress_once(stored_as form, const input& stored, std::uint64_t bytes, unsigned threads) {
  return timed([&](run_report&) {
    const std::uint64_t text = decompress_alone(form, stored[0].bytes(), threads);
    require_same_answer(text == bytes, std::string(decompressor_of(form)), "the text's size");
    return answer_digest{};  // no matches, as in match_once()
  });
}

/// Adds `figure` to row `row`: its times divided by those of row `over`, as the median over the rounds.
void add_ratio(bench_table& table, std::size_t row, std::size_t over, const char* figure) {
  bench_row& one = table.rows[row];
  if (one.seconds.empty() || table.rows[over].seconds.empty()) return;
  one.figures.push_back({figure, 1 / speed_up_over(table.rows[over], one), "x"});
}

bench_table count_words(const std::vector<compressed_file>& files, const bench_text& text, unsigned rounds,
                        const run_control& control) {
  const unsigned cores = cpu::usable_cores().cores;
  std::vector<variant> variants;
  for (const compressed_file& file : files) {
    variant& one = variants.emplace_back(variant{.name = file.name, .threads = cores});
    if (file.path.empty()) {
      one.not_measured = not_made;
    } else {
      one.run = [path = file.path] {
        return count_once(path, device_choice::cpu);
      };
    }
  }
  bench_table table{.name = "compressed-wordcount",
                    .title = "Word count of compressed text, CPU",
                    .subject = "From opening the cached file to the complete result; rounds taken in turn",
                    .baseline = "the plain file"};
  comparison(control).add_in_turn(variants, rounds, text.subject(), text.work(), table);
  for (std::size_t row = 0; row < table.rows.size(); ++row) add_ratio(table, row, 0, "times the plain file");
  return table;
}

bench_table match_strings(const std::vector<compressed_file>& files, const bench_text& text, unsigned rounds,
                          const run_control& control) {
  const unsigned cores = cpu::usable_cores().cores;
  bench_table table{
      .name = "compressed-stringmatch",
      .title = "String match of compressed text, CPU",
      .subject = text.subject() +
                 "; one pattern that does not occur, beside decompression into buffers that are used "
                 "again, by the fastest library with the same cores; rounds taken in turn",
      .baseline = "decompression alone"};
  for (const compressed_file& file : files) {
    const std::string library(decompressor_of(file.form));
    if (file.path.empty() || library.empty()) continue;
    const input stored = stored_bytes(file.path);
    const std::vector<variant> variants = {{.name = library + " alone",
                                            .threads = cores,
                                            .run =
                                                [&] {
                                                  return decompress_once(file.form, stored, text.bytes(),
                                                                         cores);
                                                }},
                                           {.name = "duomap", .threads = cores, .run = [&] {
                                              return match_once(file.path);
                                            }}};
    const std::size_t first = table.rows.size();
    comparison(control).add_in_turn(variants, rounds, file.name, text.work(), table);
    add_ratio(table, first + 1, first, "times decompression");
  }
  return table;
}

std::vector<bench_table> measure_on_cpu(const bench_context& context, const bench_options& options) {
  const bench_text text(options.paths, context.size(options.bytes));
  const temporary_folder folder;
  say("compressing the text");
  const input whole = open_input({text.path()});
  const auto files = write_compressed(whole[0].bytes().text(), folder.path());
  const unsigned rounds = context.rounds(options.rounds);
  say("counting words, and looking for a string");
  return {count_words(files, text, rounds, context.control),
          match_strings(files, text, rounds, context.control)};
}

/// Large files repeat compressed members, because compressing a longer text would take long.
/// @throws device_unavailable when there is no GPU
std::vector<bench_table> measure_on_gpu(const bench_context& context, const bench_options& options) {
  static_cast<void>(run(wordcount{}, text_input("start CUDA"), {.device = device_choice::gpu}));
  const bench_text text(options.paths, 1);
  const std::uint64_t times =
      std::max<std::uint64_t>(1, context.size(options.bytes) / std::max<std::uint64_t>(1, text.bytes()));
  const temporary_folder folder;
  say("compressing the text");
  const input whole = open_input({text.path()});
  const auto files =
      write_compressed(whole[0].bytes().text(), folder.path(), std::max<std::uint64_t>(2, times));
  const double bytes = static_cast<double>(text.bytes() * std::max<std::uint64_t>(2, times));
  bench_table table{.name = "compressed-wordcount-gpu",
                    .title = "Word count of compressed text, GPU: " + first_gpu().name,
                    .subject = "CUDA started before; from opening the cached file to the complete result",
                    .plotted = bench_axis::rate};
  comparison all(context.control);
  for (const device_choice device : {device_choice::gpu, device_choice::cpu, device_choice::automatic}) {
    for (const compressed_file& file : files) {
      if (file.path.empty()) continue;
      const auto count = [&] {
        return count_once(file.path, device);
      };
      all.add_alone(variant_on(device, file.name, count), context.rounds(options.rounds),
                    text.description() + ", " + std::to_string(std::max<std::uint64_t>(2, times)) + " times",
                    {bytes, "B"}, table);
    }
  }
  return {table};
}

void add_options(CLI::App& command) {
  bench_options& options = options_of_this_run<bench_options>();
  add_required_paths(command, options.paths, "texts to compress");
  add_number(command, "--bytes", options.bytes, "repeat the texts to at least this size");
  add_number(command, "--rounds", options.rounds, "timed runs of each form", {{.least = 1, .most = 1000}});
  add_flag(command, "--gpu", options.on_gpu, "count words on the GPU, on the CPU and by auto");
}

std::vector<bench_table> bench_compressed(const bench_context& context) {
  const bench_options& options = options_of_this_run<bench_options>();
  return options.on_gpu ? measure_on_gpu(context, options) : measure_on_cpu(context, options);
}

}  // namespace

const benchmark compressed_benchmark{
    .name = "compressed",
    .summary = "compressed text, against the plain file and decompression alone",
    .add_options = add_options,
    .measure = bench_compressed,
};

}  // namespace duomap::apps
