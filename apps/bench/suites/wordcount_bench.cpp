#include "apps/bench/baselines/wordcount/baselines.hpp"
#include "apps/bench/harness/bench_text.hpp"
#include "apps/bench/harness/forked_variant.hpp"
#include "apps/bench/harness/start_up.hpp"
#include "apps/bench/suites/benchmarks.hpp"
#include "apps/bench/suites/wordcount_gpu_bench.hpp"
#include "apps/cli/options.hpp"
#include "apps/cli/quantity.hpp"
#include "apps/cli/talk.hpp"
#include "apps/tasks/wordcount/wordcount.hpp"
#include "cpu/cores.hpp"
#include "duomap.hpp"

#include <unistd.h>

#include <functional>
#include <string>
#include <vector>

namespace duomap::apps {
namespace {

struct bench_options {
  std::vector<std::string> paths;
  std::uint64_t bytes = 400'000'000;
  std::uint64_t distinct = 100'000;
  std::uint64_t seed = 1;
  unsigned rounds = 7;
  bool on_gpu = false;
};

std::vector<variant> make_variants(const std::string& path, const run_control& control) {
  const auto digest = [](const word_counts& counts) {
    answer_digest answer;
    for (const auto& [word, count] : counts) answer.add(word.data(), word.size(), count);
    return answer;
  };
  // From the opening of the file to the complete result, like everybody.
  const auto with_duomap = [path](unsigned threads) {
    return [path, threads](const std::function<void()>& stop_clock) {
      const auto counts =
          run(wordcount{}, open_input({path}), {.device = device_choice::cpu, .threads = threads});
      stop_clock();
      answer_digest answer;
      counts.for_each([&](byte_view word, std::uint64_t count) { answer.add(word.data, word.size, count); });
      return answer;
    };
  };
  std::vector<variant> all;
  const auto add = [&](const std::string& name, unsigned threads, const solver& solve) {
    all.push_back(forked_variant(name, threads, solve, control));
  };
  add("std::unordered_map loop", 1, [path, digest](const std::function<void()>& stop_clock) {
    const input text = open_input({path});
    const word_counts counts = count_words_in_one_loop(text[0].bytes().text());
    stop_clock();
    return digest(counts);
  });
  const unsigned cores = cpu::usable_cores().cores;
  add("oneTBB + std::unordered_map", cores, [path, digest, cores](const std::function<void()>& stop_clock) {
    const input text = open_input({path});
    const word_counts counts = count_words_with_tbb(text[0].bytes().text(), cores);
    stop_clock();
    return digest(counts);
  });
  for (const unsigned threads : thread_counts(cores)) add("duomap", threads, with_duomap(threads));
  return all;
}

void add_options(CLI::App& command) {
  bench_options& options = options_of_this_run<bench_options>();
  add_paths(command, options.paths, "texts to count; without one, a text is made up");
  add_number(command, "--bytes", options.bytes, "repeat the text to at least this size");
  add_number(command, "--distinct", options.distinct, "distinct words of a made-up text",
             {{.least = 1, .most = std::uint64_t{1} << 31}});
  add_number(command, "--seed", options.seed, "seed of a made-up text");
  add_number(command, "--rounds", options.rounds, "timed runs of each program", {{.least = 1, .most = 1000}});
  add_flag(command, "--gpu", options.on_gpu,
           "measure the GPU and CPU and GPU together, instead of\n"
           "plain programs on the CPU");
}

std::vector<bench_table> bench_wordcount(const bench_context& context) {
  const bench_options& options = options_of_this_run<bench_options>();
  const unsigned rounds = context.rounds(options.rounds);
  say("preparing the text");
  const std::uint64_t least = context.size(options.bytes);
  const bench_text text = options.paths.empty() ? bench_text(options.distinct, options.seed, least)
                                                : bench_text(options.paths, least);
  if (options.on_gpu) return bench_wordcount_on_gpu(text.path(), text.description(), rounds, context.control);
  const std::vector<variant> variants = make_variants(text.path(), context.control);
  say("running " + std::to_string(variants.size()) + " programs, a warm-up and " + std::to_string(rounds) +
      " rounds each");
  comparison all(context.control);
  const std::vector<series> measured = all.in_turn(variants, rounds_of_one_run(rounds));

  bench_text tiny(1000, options.seed, 1);
  if (::truncate(tiny.path().c_str(), 1024) != 0) throw output_error("cannot shorten " + tiny.path());
  const double start_up =
      time_program({"duomap", "run", "wordcount", tiny.path()}, 3 * rounds, context.control).middle();

  const std::uint64_t bytes = open_input({text.path()}).stored_bytes();
  bench_table table{
      .name = "wordcount",
      .title = "Word count, CPU",
      .subject = count_text(all.answer().total, "word") + ", " + count_text(all.answer().rows) +
                 " distinct; from opening the cached file to the complete result; rounds taken in turn",
      .baseline = "the loop",
      .rows = rows_of(variants, measured, text.description() + ", " + bytes_text(bytes),
                      {static_cast<double>(bytes), "B"})};
  set_speed_ups(table);
  for (bench_row& row : table.rows) row.figures.push_back({"per thread", *row.speed_up / row.threads, "x"});
  table.notes.push_back(
      "Memory is without the mapped file. Start of the program to its end on a text of 1 KB: " +
      duration_text(start_up));
  return {table};
}

}  // namespace

const benchmark wordcount_benchmark{
    .name = "wordcount",
    .summary = "words of a text, against one loop and oneTBB",
    .add_options = add_options,
    .measure = bench_wordcount,
};

}  // namespace duomap::apps
