// Measures word count beside plain programs, and on GPUs.
#include "apps/cli/console.hpp"
#include "apps/cli/options.hpp"
#include "apps/report/quantity.hpp"
#include "apps/tasks/wordcount/wordcount.hpp"
#include "bench/baselines/count_words.hpp"
#include "bench/harness/bench_context.hpp"
#include "bench/harness/bench_text.hpp"
#include "bench/harness/device_modes.hpp"
#include "bench/harness/forked_variant.hpp"
#include "bench/harness/measured_program.hpp"
#include "bench/harness/piped_program.hpp"
#include "bench/suites/benchmarks.hpp"
#include "core/add_note.hpp"
#include "cpu/cores.hpp"
#include "cpu/machine_pool.hpp"
#include "duomap.hpp"
#include "gpu/device/device.hpp"
#include "gpu/feed/page_lock.hpp"
#include "gpu/run_resident.hpp"

#include <algorithm>
#include <concepts>
#include <filesystem>
#include <functional>
#include <optional>
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
  // The clock runs from opening the file to the complete result, as for the other programs.
  const auto with_duomap = [path](unsigned threads) {
    return [path, threads](const std::function<void()>& stop_clock) {
      const auto counts =
          run(wordcount{}, open_input({path}), {.device = device_choice::cpu, .threads = threads});
      stop_clock();
      return digest_of_counts(counts);
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

/// The time of `duomap` from its start to its end, on a tiny input.
double start_up_seconds(std::uint64_t seed, unsigned rounds, const run_control& control) {
  const bench_text tiny(1000, seed, 1);
  std::filesystem::resize_file(tiny.path(), 1024);
  const auto once = [&] {
    const piped_run ended = run_piped(measured_program(), {"duomap", "run", "wordcount", tiny.path()});
    require_status(ended, measured_program());
    return timed_run{.seconds = ended.seconds};
  };
  return comparison(control).alone({.name = "duomap", .run = once}, rounds).middle();
}

// Larger than the second-level cache of any GPU, and smaller than any GPU's memory.
constexpr std::uint64_t resident_bytes = std::uint64_t{800} * 1000 * 1000;

// Counts the words of an open input, or of the file at a path; opening and closing that file is part of the
// time.
template <class Input>
timed_run count_once(const Input& from, device_choice device) {
  timed_run one;
  const stopwatch clock;
  const auto counts = [&] {
    const run_options options{.device = device, .report = &one.report};
    if constexpr (std::same_as<Input, input>) {
      return run(wordcount{}, from, options);
    } else {
      return run(wordcount{}, open_input({from}), options);
    }
  }();
  one.seconds = clock.seconds();
  one.answer = digest_of_counts(counts);
  one.figures = {{"of it mapping", one.report.map_seconds, "s"},
                 {"of it merging", one.report.merge_seconds, "s"}};
  return one;
}

/// Counts the words of a text on one GPU, on CPU and GPU together, and on the CPU, `rounds` times each, and
/// compares the answers. CUDA starts before the clock; opening and mapping the file, page-locked buffers and
/// the result are timed.
/// @throws device_unavailable when there is no GPU; error when answers differ; interrupted
std::vector<bench_table> bench_on_gpu(const bench_text& from, unsigned rounds, const run_control& control) {
  const double start_up = seconds_of(
      [] { static_cast<void>(run(wordcount{}, text_input("start CUDA"), {.device = device_choice::gpu})); });
  const gpu::device_info& device = first_gpu();
  bench_table table{.name = "wordcount-gpu",
                    .title = "Word count, GPU: " + device.name,
                    .subject = "Starting CUDA took " + duration_text(start_up) + " and is not in the figures",
                    .plotted = bench_axis::rate};

  comparison all(control);
  const auto measure = [&](const std::string& what, const auto& words, device_choice on,
                           bool first_is_cold = false) {
    const auto count = [&] {
      return count_once(words, on);
    };
    all.add_alone(variant_on(on, "duomap, " + what, count, first_is_cold), rounds, from.subject(),
                  from.work(), table);
  };
  measure("file opened again", from.path(), device_choice::gpu, true);
  measure("file opened again", from.path(), device_choice::cpu_gpu);
  const input texts = open_input({from.path()});
  measure("file kept open", texts, device_choice::gpu);
  measure("file kept open", texts, device_choice::cpu_gpu);
  measure("file kept open", texts, device_choice::cpu);
  {
    std::optional<gpu::page_lock> locked;
    const double locking = seconds_of([&] { locked.emplace(texts); });
    if (locked->refusal().empty()) {
      measure("file kept open and page-locked", texts, device_choice::gpu);
      measure("file kept open and page-locked", texts, device_choice::cpu_gpu);
      table.subject += "; page-locking the file took " + duration_text(locking);
    } else {
      add_note(table.notes, "The file was not page-locked: " + locked->refusal());
    }
  }

  const byte_view text = texts[0].bytes();
  const byte_view part = text.sub(0, std::min(text.size, resident_bytes));
  if constexpr (gpu::has_code<wordcount>) {
    const auto pool = cpu::machine_pool(0, texts);
    auto resident = gpu::run_resident(wordcount{}, device.index, part, std::max(rounds, 3u), {}, *pool);
    const auto on_gpu = make_result(wordcount{}, std::move(resident.found), *pool);
    require_same_answer(digest_of_counts(on_gpu) == count_once(view_input(part), device_choice::cpu).answer,
                        "the GPU", "the CPU");
    table.rows.push_back(
        row_on(device_choice::gpu, from.description() + ", " + bytes_text(part.size) + " in the GPU's memory",
               "duomap", {static_cast<double>(part.size), "B"}, std::move(resident.seconds)));
  }
  table.subject += "; " + count_text(all.answer().total, "word") + ", " + count_text(all.answer().rows) +
                   " distinct; every answer is the CPU's, too";
  return {table};
}

void add_options(CLI::App& command) {
  bench_options& options = options_of_this_run<bench_options>();
  add_paths(command, options.paths, "texts to count; without one, a text is generated");
  add_number(command, "--bytes", options.bytes, "repeat the text to at least this size");
  add_number(command, "--distinct", options.distinct, "distinct words of a synthetic text",
             {{.least = 1, .most = std::uint64_t{1} << 31}});
  add_number(command, "--seed", options.seed, "seed of a synthetic text");
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
  if (options.on_gpu) return bench_on_gpu(text, rounds, context.control);
  const std::vector<variant> variants = make_variants(text.path(), context.control);
  say("running " + std::to_string(variants.size()) + " programs, a warm-up and " + std::to_string(rounds) +
      " rounds each");
  comparison all(context.control);
  bench_table table{.name = "wordcount", .title = "Word count, CPU", .baseline = "the loop"};
  for (bench_row& row : all.add_in_turn(variants, rounds, text.subject(), text.work(), table))
    row.figures.push_back({"per thread", *row.speed_up / row.threads, "x"});
  table.subject = count_text(all.answer().total, "word") + ", " + count_text(all.answer().rows) +
                  " distinct; from opening the cached file to the complete result; rounds taken in turn";
  table.notes.push_back(
      "Memory is without the mapped file. Start of the program to its end on a text of 1 KB: " +
      duration_text(start_up_seconds(options.seed, 3 * rounds, context.control)));
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
