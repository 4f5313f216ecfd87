#include "apps/bench/harness/bench_text.hpp"
#include "apps/bench/harness/forked_variant.hpp"
#include "apps/bench/harness/piped_program.hpp"
#include "apps/bench/harness/temporary_folder.hpp"
#include "apps/bench/suites/benchmarks.hpp"
#include "apps/cli/options.hpp"
#include "apps/cli/quantity.hpp"
#include "apps/cli/talk.hpp"
#include "apps/commands/count_views.hpp"
#include "core/output/result_file.hpp"
#include "cpu/cores.hpp"
#include "duomap.hpp"
#include "gpu/device/device.hpp"

#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace duomap::apps {
namespace {

struct bench_options {
  std::vector<std::string> paths;
  std::uint64_t bytes = 400'000'000;
  unsigned rounds = 5;
  std::string python = "python3";
  bool on_gpu = false;
};

constexpr const char* duckdb_name = "DuckDB";

/// What is counted.
enum class views { requests, unique };

template <class Result>
void add_all(const Result& counts, answer_digest& answer) {
  counts.for_each([&](byte_view page, std::uint64_t count) { answer.add(page.data, page.size, count); });
}

/// The views of each page as a digest; lines that are no views are one row more. `stop_clock` is called when
/// the result is complete.
timed_run count(views what, const input& logs, const job_options& options,
                const std::function<void()>& stop_clock) {
  timed_run all;
  answer_digest& answer = all.answer.emplace();
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
    add_all(requests, answer);
    if (none.malformed + none.left_out > 0) answer.add("", 0, none.malformed + none.left_out);
  } else {
    auto visits = run(visit_count{}, logs, *pool, mine);
    const not_views none = take_not_views(visits);
    const auto pages = count_visits(visit_count{}, visits, *pool, all.report);
    stop();
    add_all(pages, answer);
    if (none.malformed + none.left_out > 0) answer.add("", 0, none.malformed + none.left_out);
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

// The same over lines as a table of one column: no byte of a log separates columns. Rows are printed as gawk
// prints them.
constexpr const char* duckdb_script = R"py(
import sys, duckdb
path, threads = sys.argv[1:]
con = duckdb.connect()
con.execute(f"SET threads TO {threads}")
columns = "columns={'line': 'VARCHAR'}, delim='\x01', quote='', escape=''"
lines = f"read_csv(?, header=false, auto_detect=false, {columns})"
query = f"SELECT split_part(line, ' ', 7) AS page, count(*) FROM {lines} GROUP BY page"
for page, views in con.execute(query, [path]).fetchall():
    print(views, page)
)py";

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

bool has_duckdb(const std::string& python) {
  return WEXITSTATUS(std::system(("'" + python + "' -c 'import duckdb' >/dev/null 2>&1").c_str())) == 0;
}

/// `script`: where duckdb_script stands; empty: without DuckDB.
std::vector<variant> variants_of(views what, const std::string& path, const std::string& script,
                                 const run_control& control) {
  std::vector<variant> all;
  const auto add = [&](const std::string& name, unsigned threads, const solver& solve) {
    all.push_back(forked_variant(name, threads, solve, control));
  };
  if (!find_program("gawk").empty()) {
    add("gawk -b", 1, [=](const std::function<void()>& stop_clock) {
      return answer_of_command(gawk_command(what, path), stop_clock);
    });
  }
  const unsigned cores = cpu::usable_cores().cores;
  if (what == views::requests && !script.empty()) {
    const std::string command = "'" + options_of_this_run<bench_options>().python + "' '" + script + "' '" +
                                path + "' " + std::to_string(cores);
    add(duckdb_name, cores,
        [=](const std::function<void()>& stop_clock) { return answer_of_command(command, stop_clock); });
  }
  for (const unsigned threads : thread_counts(cores))
    add("duomap", threads, [=](const std::function<void()>& stop_clock) {
      return *count(what, open_input({path}), {.device = device_choice::cpu, .threads = threads}, stop_clock)
                  .answer;
    });
  return all;
}

std::string name_of(views what) {
  return what == views::requests ? "every request" : "unique by client and agent";
}

std::vector<bench_table> bench_on_cpu(const std::string& path, const std::string& subject, unsigned rounds,
                                      const run_control& control) {
  bench_table table{
      .name = "pageviewcount",
      .title = "Page view count, CPU",
      .subject = subject + "; from opening the cached file to the complete result; rounds taken in turn",
      .baseline = "the first"};
  const std::uint64_t bytes = open_input({path}).stored_bytes();
  const temporary_folder folder;
  std::string script;
  if (has_duckdb(options_of_this_run<bench_options>().python)) {
    script = folder.path() + "/count.py";
    result_file program(script);
    program.sink().write(byte_view(std::string_view(duckdb_script)));
    program.commit();
    table.notes.emplace_back(
        "DuckDB splits lines at blanks and groups them; starting Python is part of its time");
  }
  for (const views what : {views::requests, views::unique}) {
    const std::vector<variant> variants = variants_of(what, path, script, control);
    comparison all(control);
    const std::vector<series> measured = all.in_turn(variants, rounds_of_one_run(rounds));
    const std::size_t first = table.rows.size();
    for (bench_row& row : rows_of(variants, measured, name_of(what), {static_cast<double>(bytes), "B"})) {
      // What was seen is the process that reads from gawk or DuckDB.
      if (row.program != "duomap") row.host_bytes.reset();
      table.rows.push_back(std::move(row));
    }
    if (what == views::requests && script.empty()) {
      table.rows.push_back(
          {.workload = name_of(what),
           .program = duckdb_name,
           .threads = cpu::usable_cores().cores,
           .not_measured = "'" + options_of_this_run<bench_options>().python + "' cannot import duckdb"});
    }
    set_speed_ups(table, first);
    table.notes.push_back(name_of(what) + ": " + count_text(all.answer().rows, "page") + ", " +
                          count_text(all.answer().total, "view"));
  }
  return {table};
}

std::vector<bench_table> bench_on_gpu(const std::string& path, const std::string& subject, unsigned rounds,
                                      const run_control& control) {
  const auto nothing = [] {
  };
  static_cast<void>(run(request_count{}, text_input("start CUDA"), {.device = device_choice::gpu}));
  const std::uint64_t bytes = open_input({path}).stored_bytes();
  bench_table table{.name = "pageviewcount-gpu",
                    .title = "Page view count, GPU: " + gpu::discover().devices.front().name,
                    .subject = subject +
                               "; a cached file, opened before; CUDA was started before. Cold is the first "
                               "run over the file, and of both devices the first of the task",
                    .plotted = bench_axis::rate};
  const input logs = open_input({path});
  const temporary_folder profiles;
  for (const views what : {views::requests, views::unique}) {
    comparison all(control);
    const auto measure = [&](const job_options& how, unsigned runs, bool first_is_cold) {
      const auto timed = [&] {
        timed_run one = count(what, logs, how, nothing);
        one.figures = {{"of it first pass", one.report.map_seconds, "s"},
                       {"its merge", one.report.merge_seconds, "s"}};
        return one;
      };
      const variant measured{.name = "duomap",
                             .device = device_text(how.device),
                             .threads = cpu::usable_cores().cores,
                             .run = timed,
                             .warm_up = first_is_cold ? 1u : 0u,
                             .first_is_cold = first_is_cold};
      const series found = all.alone(measured, runs);
      add_notes(found, table.notes);
      table.rows.push_back(row_of(measured, found, name_of(what), {static_cast<double>(bytes), "B"}));
    };
    measure({.device = device_choice::cpu}, std::min(rounds, 3u), false);
    measure({.device = device_choice::gpu}, rounds, true);
    // What a run learns is the next one's: the first finds the split on the way.
    measure({.device = device_choice::cpu_gpu, .profiles = profiles.path()}, rounds, true);
  }
  return {table};
}

void add_options(CLI::App& command) {
  bench_options& options = options_of_this_run<bench_options>();
  add_required_paths(command, options.paths, "logs to count");
  add_number(command, "--bytes", options.bytes, "repeat the logs to at least this size");
  add_number(command, "--rounds", options.rounds, "timed runs of each", {{.least = 1, .most = 1000}});
  add_flag(
      command, "--gpu", options.on_gpu,
      "measure the GPU, and CPU and GPU together, instead of\ngawk and DuckDB (where they are installed)");
  add_text(command, "--python", options.python, "a Python that has DuckDB");
}

std::vector<bench_table> bench_pageviewcount(const bench_context& context) {
  const bench_options& options = options_of_this_run<bench_options>();
  say("preparing the logs");
  const bench_text logs(options.paths, context.size(options.bytes));
  const std::string subject =
      logs.description() + ", " + bytes_text(open_input({logs.path()}).stored_bytes());
  const unsigned rounds = context.rounds(options.rounds);
  return options.on_gpu ? bench_on_gpu(logs.path(), subject, rounds, context.control)
                        : bench_on_cpu(logs.path(), subject, rounds, context.control);
}

}  // namespace

const benchmark pageviewcount_benchmark{
    .name = "pageviewcount",
    .summary = "views of each page in a web log, against one loop, gawk and DuckDB",
    .add_options = add_options,
    .measure = bench_pageviewcount,
};

}  // namespace duomap::apps
