#include "apps/pageviewcount/pageviewcount_bench.hpp"

#include "apps/bench/bench_text.hpp"
#include "apps/bench/contest.hpp"
#include "apps/bench/temporary_folder.hpp"
#include "apps/cli/options.hpp"
#include "apps/cli/quantity.hpp"
#include "apps/cli/talk.hpp"
#include "apps/weblog/count_views.hpp"
#include "core/output/result_file.hpp"
#include "cpu/cores.hpp"
#include "cpu/features.hpp"
#include "cpu/processor.hpp"
#include "duomap.hpp"
#include "gpu/device/device.hpp"

#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace duomap::apps {
namespace {

struct bench_options {
  std::vector<std::string> paths;
  std::uint64_t bytes = 400'000'000;
  unsigned rounds = 5;
  bool on_gpu = false;
  std::string table = "-";
};

bench_options& options_of_this_run() {
  static bench_options options;
  return options;
}

/// What is counted.
enum class views { requests, unique };

/// The views of each page as a digest; lines that are no views are one row more.
struct counted {
  answer_digest answer;
  double seconds = 0;  ///< to the complete result
  run_report report;
};

template <class Result>
void add_all(const Result& counts, answer_digest& answer) {
  counts.for_each([&](byte_view page, std::uint64_t count) { answer.add(page.data, page.size, count); });
}

// `stop_clock` is called when the result is complete.
counted count(views what, const input& logs, const job_options& options,
              const std::function<void()>& stop_clock) {
  counted all;
  job_options mine = options;
  mine.report = &all.report;
  const auto pool = cpu::machine_pool(options.threads, logs);
  const auto start = std::chrono::steady_clock::now();
  const auto stop = [&] {
    all.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    stop_clock();
  };
  if (what == views::requests) {
    auto requests = run(request_count{}, logs, *pool, mine);
    const not_views none = take_not_views(requests);
    stop();
    add_all(requests, all.answer);
    if (none.malformed + none.left_out > 0) all.answer.add("", 0, none.malformed + none.left_out);
  } else {
    auto visits = run(visit_count{}, logs, *pool, mine);
    const not_views none = take_not_views(visits);
    const auto pages = count_visits(visit_count{}, visits, *pool, all.report);
    stop();
    add_all(pages, all.answer);
    if (none.malformed + none.left_out > 0) all.answer.add("", 0, none.malformed + none.left_out);
  }
  return all;
}

// What one would type: the URL is the seventh word, the agent the quoted text at the end. The answer is the
// same for logs in combined format without malformed lines or spaces in URLs.
std::string gawk_command(views what, const std::string& path) {
  const std::string rule =
      what == views::requests ? "NF { ++views[$7] }" : R"(match($0, /"[^"]*"$/) { agent = substr($0, RSTART);
                                    if (!(($7, $1, agent) in seen)) { seen[$7, $1, agent]; ++views[$7] } })";
  return "LC_ALL=C gawk -b '" + rule + " END { for (page in views) print views[page] \" \" page }' '" + path +
         "'";
}

answer_digest answer_of_command(const std::string& command, const std::function<void()>& stop_clock) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(command.c_str(), "r"), ::pclose);
  if (!pipe) throw error(exit_status::failed, "cannot start " + command);
  answer_digest answer;
  char* line = nullptr;
  std::size_t room = 0;
  ssize_t size = 0;
  while ((size = ::getline(&line, &room, pipe.get())) > 0) {
    char* page = nullptr;
    const std::uint64_t views = std::strtoull(line, &page, 10);
    ++page;
    answer.add(page, static_cast<std::uint64_t>(line + size - 1 - page), views);
  }
  std::free(line);
  stop_clock();
  return answer;
}

bool has_gawk() { return WEXITSTATUS(std::system("command -v gawk >/dev/null 2>&1")) == 0; }

std::vector<contender> contenders_of(views what, const std::string& path) {
  std::vector<contender> all;
  const auto add_duomap = [&](unsigned threads) {
    all.push_back({"duomap", threads, [=](const std::function<void()>& stop_clock) {
                     return count(what, open_input({path}),
                                  {.device = device_choice::cpu, .threads = threads}, stop_clock)
                         .answer;
                   }});
  };
  if (has_gawk()) {
    all.push_back({"gawk -b", 1, [=](const std::function<void()>& stop_clock) {
                     return answer_of_command(gawk_command(what, path), stop_clock);
                   }});
  }
  const unsigned cores = cpu::usable_cores().cores;
  for (unsigned threads = 1; threads < cores; threads *= 2) add_duomap(threads);
  add_duomap(cores);
  return all;
}

std::string name_of(views what) {
  return what == views::requests ? "every request" : "unique by client and agent";
}

std::string bench_on_cpu(const std::string& path, const std::string& subject, unsigned rounds,
                         run_control& control) {
  std::string table = "Page view count, CPU: " + subject + "; " + cpu::processor_name() + ", vector path " +
                      std::string(cpu::name(cpu::active_vector_path())) + "; medians of " +
                      std::to_string(rounds) + " rounds taken in turn, all answers equal.\n\n";
  table +=
      "| views | program | threads | time | throughput | over the first |\n|---|---|---:|---:|---:|---:|\n";
  const std::uint64_t bytes = open_input({path}).stored_bytes();
  for (const views what : {views::requests, views::unique}) {
    const std::vector<contender> contenders = contenders_of(what, path);
    const contest_result contest =
        run_contest(contenders, rounds, [&] { return control.cancelled.load(std::memory_order_relaxed); });
    for (std::size_t i = 0; i < contenders.size(); ++i) {
      std::vector<double> seconds;
      for (const contest_sample& sample : contest.samples[i]) seconds.push_back(sample.seconds);
      std::array<char, 32> ratio;
      std::snprintf(ratio.data(), ratio.size(), "%.2fx",
                    median_ratio(contest.samples[0], contest.samples[i]));
      table += "| " + name_of(what) + " | " + contenders[i].name + " | " +
               std::to_string(contenders[i].threads) + " | " + duration_text(median(seconds)) + " | " +
               rate_text(bytes, median(seconds)) + " | " + ratio.data() + " |\n";
    }
    table += "| " + name_of(what) + ": " + count_text(contest.answer.rows, "page") + ", " +
             count_text(contest.answer.total, "view") + " | | | | | |\n";
  }
  return table;
}

std::string bench_on_gpu(const std::string& path, const std::string& subject, unsigned rounds,
                         run_control& control) {
  const auto nothing = [] {
  };
  static_cast<void>(run(request_count{}, text_input("start CUDA"), {.device = device_choice::gpu}));
  const std::uint64_t bytes = open_input({path}).stored_bytes();
  std::string table = "Page view count on " + gpu::discover().devices.front().name + ": " + subject +
                      "; a cached file, opened before; CUDA was started before; medians of " +
                      std::to_string(rounds) + " runs, all answers equal.\n\n";
  table +=
      "| views | run | time | throughput | of it first pass | its merge |\n|---|---|---:|---:|---:|---:|\n";
  const input logs = open_input({path});
  const temporary_folder profiles;
  std::vector<std::string> notes;
  for (const views what : {views::requests, views::unique}) {
    answer_digest expected;
    const auto measure = [&](const std::string& name, const job_options& how, unsigned runs) {
      std::vector<counted> all;
      for (unsigned i = 0; i < runs; ++i) {
        if (control.cancelled.load(std::memory_order_relaxed)) throw interrupted();
        all.push_back(count(what, logs, how, nothing));
        if (expected.rows == 0) expected = all.back().answer;
        if (!(all.back().answer == expected))
          throw error(exit_status::failed, "two runs gave different answers");
      }
      std::ranges::sort(all, {}, &counted::seconds);
      const counted& one = all[all.size() / 2];
      table += "| " + name_of(what) + " | " + name + " | " + duration_text(one.seconds) + " | " +
               rate_text(bytes, one.seconds) + " | " + duration_text(one.report.map_seconds) + " | " +
               duration_text(one.report.merge_seconds) + " |\n";
      for (const std::string& note : one.report.notes) {
        if (std::ranges::find(notes, note) == notes.end()) notes.push_back(note);
      }
    };
    measure("CPU", {.device = device_choice::cpu}, std::min(rounds, 3u));
    measure("GPU, first run over the file", {.device = device_choice::gpu}, 1);
    measure("GPU", {.device = device_choice::gpu}, rounds);
    // What a run learns is the next one's: the first finds the split on the way.
    const job_options together{.device = device_choice::cpu_gpu, .profiles = profiles.path()};
    measure("CPU + GPU, first run of the task", together, 1);
    measure("CPU + GPU", together, rounds);
  }
  for (const std::string& note : notes) table += "\n" + note + ".\n";
  return table;
}

}  // namespace

void add_pageviewcount_bench_options(CLI::App& command) {
  bench_options& options = options_of_this_run();
  add_required_paths(command, options.paths, "logs to count");
  add_number(command, "--bytes", options.bytes, "repeat the logs to at least this size");
  add_number(command, "--rounds", options.rounds, "timed runs of each", {{.least = 1, .most = 1000}});
  add_flag(command, "--gpu", options.on_gpu,
           "measure the GPU, and CPU and GPU together, instead of\ngawk (where it is installed)");
  add_text(command, "--table", options.table, "save the table here (- is standard output)");
}

void bench_pageviewcount(run_control& control) {
  const bench_options& options = options_of_this_run();
  if (torture) throw usage_error("a torture build measures nothing; use the preset release or cpu");
  say("preparing the logs");
  const bench_text logs(options.paths, options.bytes);
  const std::string subject =
      logs.description() + ", " + bytes_text(open_input({logs.path()}).stored_bytes());
  const std::string table = options.on_gpu ? bench_on_gpu(logs.path(), subject, options.rounds, control)
                                           : bench_on_cpu(logs.path(), subject, options.rounds, control);
  result_file file(options.table);
  file.sink().write(byte_view(table));
  file.commit();
}

}  // namespace duomap::apps
