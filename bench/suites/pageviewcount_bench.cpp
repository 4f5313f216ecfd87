// Measures page view counts beside gawk and DuckDB, and on GPUs.
#include "apps/cli/console.hpp"
#include "apps/cli/options.hpp"
#include "apps/report/quantity.hpp"
#include "apps/tasks/weblog/count_views.hpp"
#include "bench/harness/bench_text.hpp"
#include "bench/harness/device_modes.hpp"
#include "bench/harness/forked_variant.hpp"
#include "bench/harness/piped_program.hpp"
#include "bench/harness/python_script.hpp"
#include "bench/harness/temporary_folder.hpp"
#include "bench/suites/benchmarks.hpp"
#include "cpu/cores.hpp"
#include "duomap.hpp"

#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <string>
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

/// The views that a count includes.
enum class views { requests, unique };

/// Counts the views of each page into a digest, with one more row for lines that are not views. Calls
/// `stop_clock` when the result is complete.
timed_run count(views what, const input& logs, const run_options& options,
                const std::function<void()>& stop_clock) {
  timed_run all;
  run_options mine = options;
  mine.report = &all.report;
  const auto pool = cpu::machine_pool(options.threads, logs);
  const stopwatch clock;
  const auto take_answer = [&](const auto& pages, const uncounted_lines& none) {
    all.seconds = clock.seconds();
    stop_clock();
    all.answer = digest_of_counts(pages);
    if (none.malformed + none.left_out > 0) all.answer->add("", 0, none.malformed + none.left_out);
  };
  if (what == views::requests) {
    auto requests = run(request_count{}, logs, *pool, mine);
    const uncounted_lines none = take_uncounted(requests);
    take_answer(requests, none);
  } else {
    auto visits = run(visit_count{}, logs, *pool, mine);
    const uncounted_lines none = take_uncounted(visits);
    take_answer(count_visits(visit_count{}, visits, *pool, all.report), none);
  }
  return all;
}

// The command that a user would type: the URL is the seventh word, the agent the quoted text at the end.
// Gives duomap's answer if the log is in combined format and in normal form
// (apps/tasks/weblog/normal_form.hpp), without malformed lines or spaces in URLs.
std::string gawk_command(views what, const std::string& path) {
  const std::string rule =
      what == views::requests ? "NF { ++views[$7] }" : R"(match($0, /"[^"]*"$/) { agent = substr($0, RSTART);
                                    if (!(($7, $1, agent) in seen)) { seen[$7, $1, agent]; ++views[$7] } })";
  return "LC_ALL=C gawk -b '" + rule + " END { for (page in views) print views[page] \" \" page }' '" + path +
         "'";
}

// Reads lines as a table of one column, whose delimiter no log contains, and prints rows as the gawk command
// does.
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
  const std::string printed = output_of(command);
  answer_digest answer;
  for (std::size_t at = 0; at < printed.size();) {
    const std::size_t page = printed.find(' ', at) + 1, end = printed.find('\n', page);
    answer.add(printed.data() + page, end - page, std::strtoull(printed.data() + at, nullptr, 10));
    at = end + 1;
  }
  stop_clock();
  return answer;
}

bool has_duckdb(const std::string& python) {
  return WEXITSTATUS(std::system(("'" + python + "' -c 'import duckdb' >/dev/null 2>&1").c_str())) == 0;
}

/// @param duckdb the command that counts with DuckDB; empty: DuckDB is left out
std::vector<variant> variants_of(views what, const std::string& path, const std::string& duckdb,
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
  if (what == views::requests && !duckdb.empty()) {
    add(duckdb_name, cores,
        [=](const std::function<void()>& stop_clock) { return answer_of_command(duckdb, stop_clock); });
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

std::vector<bench_table> bench_on_cpu(const bench_text& logs, unsigned rounds, const run_control& control) {
  bench_table table{.name = "pageviewcount",
                    .title = "Page view count, CPU",
                    .subject = logs.subject() +
                               "; from opening the cached file to the complete result; rounds taken in turn",
                    .baseline = "the first"};
  const std::string& python = options_of_this_run<bench_options>().python;
  const python_script script(python, duckdb_script);
  std::string duckdb;
  if (has_duckdb(python)) {
    duckdb = script.command({logs.path(), std::to_string(cpu::usable_cores().cores)});
    table.notes.emplace_back(
        "DuckDB splits lines at blanks and groups them; starting Python is part of its time");
  }
  for (const views what : {views::requests, views::unique}) {
    comparison all(control);
    for (bench_row& row : all.add_in_turn(variants_of(what, logs.path(), duckdb, control), rounds,
                                          name_of(what), logs.work(), table)) {
      // The sampled memory belongs to the process that reads from gawk or DuckDB, not to those programs.
      if (row.program != "duomap") row.host_bytes.reset();
    }
    if (what == views::requests && duckdb.empty()) {
      table.rows.push_back({.workload = name_of(what),
                            .program = duckdb_name,
                            .threads = cpu::usable_cores().cores,
                            .not_measured = "'" + python + "' cannot import duckdb"});
    }
    table.notes.push_back(name_of(what) + ": " + count_text(all.answer().rows, "page") + ", " +
                          count_text(all.answer().total, "view"));
  }
  return {table};
}

std::vector<bench_table> bench_on_gpu(const bench_text& from, unsigned rounds, const run_control& control) {
  const auto nothing = [] {
  };
  static_cast<void>(run(request_count{}, text_input("start CUDA"), {.device = device_choice::gpu}));
  bench_table table{.name = "pageviewcount-gpu",
                    .title = "Page view count, GPU: " + first_gpu().name,
                    .subject = from.subject() +
                               "; a cached file, opened before; CUDA was started before. Cold is the first "
                               "run over the file, and of both devices the first of the task",
                    .plotted = bench_axis::rate};
  const input logs = open_input({from.path()});
  const temporary_folder profiles;
  for (const views what : {views::requests, views::unique}) {
    comparison all(control);
    const auto measure = [&](const run_options& how, unsigned runs, bool first_is_cold) {
      const auto timed = [&] {
        timed_run one = count(what, logs, how, nothing);
        one.figures = {{"of it first pass", one.report.map_seconds, "s"},
                       {"its merge", one.report.merge_seconds, "s"}};
        return one;
      };
      all.add_alone(variant_on(how.device, "duomap", timed, first_is_cold), runs, name_of(what), from.work(),
                    table);
    };
    measure({.device = device_choice::cpu}, std::min(rounds, 3u), false);
    measure({.device = device_choice::gpu}, rounds, true);
    // Runs share a folder of profiles: the cold run finds the split while it runs, and later runs start with
    // it.
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
  const unsigned rounds = context.rounds(options.rounds);
  return options.on_gpu ? bench_on_gpu(logs, rounds, context.control)
                        : bench_on_cpu(logs, rounds, context.control);
}

}  // namespace

const benchmark pageviewcount_benchmark{
    .name = "pageviewcount",
    .summary = "views of each page in a web log, against one loop, gawk and DuckDB",
    .add_options = add_options,
    .measure = bench_pageviewcount,
};

}  // namespace duomap::apps
