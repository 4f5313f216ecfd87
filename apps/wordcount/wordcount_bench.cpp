#include "apps/wordcount/wordcount_bench.hpp"

#include "apps/bench/bench_text.hpp"
#include "apps/bench/contest.hpp"
#include "apps/bench/start_up.hpp"
#include "apps/cli/options.hpp"
#include "apps/cli/quantity.hpp"
#include "apps/cli/talk.hpp"
#include "apps/wordcount/baselines/baselines.hpp"
#include "apps/wordcount/wordcount.hpp"
#include "apps/wordcount/wordcount_gpu_bench.hpp"
#include "core/output/result_file.hpp"
#include "core/version.hpp"
#include "cpu/cores.hpp"
#include "cpu/features.hpp"
#include "cpu/topology.hpp"
#include "duomap.hpp"

#include <nlohmann/json.hpp>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
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
  std::string json;
  std::string table = "-";
};

bench_options& options_of_this_run() {
  static bench_options options;
  return options;
}

/// One row of the table.
struct row {
  contender who;
  double seconds = 0;                 ///< median
  double speed_up = 0;                ///< over the single-thread loop, median of the rounds' ratios
  std::uint64_t anonymous_bytes = 0;  ///< most of all rounds
};

std::vector<contender> make_contenders(const std::string& path) {
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
  std::vector<contender> all;
  all.push_back({"std::unordered_map loop", 1, [path, digest](const std::function<void()>& stop_clock) {
                   const input text = open_input({path});
                   const word_counts counts = count_words_in_one_loop(text[0].bytes().text());
                   stop_clock();
                   return digest(counts);
                 }});
  const unsigned cores = cpu::usable_cores().cores;
  all.push_back(
      {"oneTBB + std::unordered_map", cores, [path, digest, cores](const std::function<void()>& stop_clock) {
         const input text = open_input({path});
         const word_counts counts = count_words_with_tbb(text[0].bytes().text(), cores);
         stop_clock();
         return digest(counts);
       }});
  for (unsigned threads = 1; threads < cores; threads *= 2) {
    all.push_back({"duomap", threads, with_duomap(threads)});
  }
  all.push_back({"duomap", cores, with_duomap(cores)});
  return all;
}

std::string fixed(double value, int decimals) {
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "%.*f", decimals, value);
  return text.data();
}

std::string table_text(const std::vector<row>& rows, const std::string& subject, double bytes,
                       double start_up) {
  std::string text = "Word count, CPU: " + subject + "\n\n";
  text +=
      "| program | threads | throughput | over the loop | per thread | memory without the mapped file |\n";
  text += "|---|---:|---:|---:|---:|---:|\n";
  for (const row& r : rows) {
    text += "| " + r.who.name + " | " + std::to_string(r.who.threads) + " | " +
            rate_text(static_cast<std::uint64_t>(bytes), r.seconds) + " | " + fixed(r.speed_up, 2) + "x | " +
            fixed(r.speed_up / r.who.threads, 2) + "x | " + bytes_text(r.anonymous_bytes) + " |\n";
  }
  text += "\nStart of the program to its end on a text of 1 KB: " + duration_text(start_up) + ".\n";
  return text;
}

void save(const std::string& path, const std::string& text) {
  result_file file(path);
  file.sink().write(byte_view(text));
  file.commit();
}

}  // namespace

void add_wordcount_bench_options(CLI::App& command) {
  bench_options& options = options_of_this_run();
  add_paths(command, options.paths, "texts to count; without one, a text is made up");
  add_number(command, "--bytes", options.bytes, "repeat the text to at least this size");
  add_number(command, "--distinct", options.distinct, "distinct words of a made-up text",
             {{.least = 1, .most = std::uint64_t{1} << 31}});
  add_number(command, "--seed", options.seed, "seed of a made-up text");
  add_number(command, "--rounds", options.rounds, "timed runs of each program", {{.least = 1, .most = 1000}});
  add_flag(command, "--gpu", options.on_gpu,
           "measure the GPU and CPU and GPU together, instead of\n"
           "plain programs on the CPU; --json has no effect");
  add_text(command, "--json", options.json, "save every figure here as JSON");
  add_text(command, "--table", options.table, "save the table here (- is standard output)");
}

void bench_wordcount(run_control& control) {
  const bench_options& options = options_of_this_run();
  if (torture) throw usage_error("a torture build measures nothing; use the preset release or cpu");
  say("preparing the text");
  const bench_text text = options.paths.empty() ? bench_text(options.distinct, options.seed, options.bytes)
                                                : bench_text(options.paths, options.bytes);
  if (options.on_gpu) {
    save(options.table, bench_wordcount_on_gpu(text.path(), text.description(), options.rounds, control));
    return;
  }
  const std::vector<contender> contenders = make_contenders(text.path());
  say("running " + std::to_string(contenders.size()) + " programs, a warm-up and " +
      std::to_string(options.rounds) + " rounds each");
  const contest_result contest = run_contest(
      contenders, options.rounds, [&] { return control.cancelled.load(std::memory_order_relaxed); });

  bench_text tiny(1000, options.seed, 1);
  if (::truncate(tiny.path().c_str(), 1024) != 0) throw output_error("cannot shorten " + tiny.path());
  const double start_up =
      median(time_program({"duomap", "run", "wordcount", tiny.path()}, 3 * options.rounds));

  // Everything that starts oneTBB or hwloc comes after the contest, which forks.
  const double bytes = static_cast<double>(open_input({text.path()}).stored_bytes());
  const cpu::topology machine = cpu::read_topology();
  const std::string subject = text.description() + ", " + bytes_text(static_cast<std::uint64_t>(bytes)) +
                              ", " + count_text(contest.answer.total, "word") + ", " +
                              count_text(contest.answer.rows) + " distinct; " + machine.cpu_model + ", " +
                              count_text(machine.cpus, "CPU") + ", vector path " +
                              std::string(cpu::name(cpu::active_vector_path())) + "; medians of " +
                              std::to_string(options.rounds) + " rounds taken in turn, all answers equal.";
  std::vector<row> rows;
  nlohmann::ordered_json json_rows = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < contenders.size(); ++i) {
    row r{contenders[i]};
    std::vector<double> seconds;
    for (const contest_sample& sample : contest.samples[i]) {
      seconds.push_back(sample.seconds);
      r.anonymous_bytes = std::max(r.anonymous_bytes, sample.anonymous_bytes);
    }
    r.seconds = median(seconds);
    r.speed_up = median_ratio(contest.samples[0], contest.samples[i]);
    json_rows.push_back({{"program", r.who.name},
                         {"threads", r.who.threads},
                         {"seconds", seconds},
                         {"median_bytes_per_second", bytes / r.seconds},
                         {"median_ratio_over_loop", r.speed_up},
                         {"anonymous_bytes", r.anonymous_bytes}});
    rows.push_back(std::move(r));
  }
  save(options.table, table_text(rows, subject, bytes, start_up));
  if (!options.json.empty()) {
    const nlohmann::ordered_json all = {{"benchmark", "wordcount"},
                                        {"duomap", version},
                                        {"text", text.description()},
                                        {"bytes", bytes},
                                        {"words", contest.answer.total},
                                        {"distinct_words", contest.answer.rows},
                                        {"cpu", machine.cpu_model},
                                        {"cpus", machine.cpus},
                                        {"vector_path", cpu::name(cpu::active_vector_path())},
                                        {"start_up_seconds", start_up},
                                        {"programs", json_rows}};
    save(options.json, all.dump(2) + "\n");
  }
}

}  // namespace duomap::apps
