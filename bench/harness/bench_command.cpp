// Measures the chosen benchmarks in turn, then shows, saves and compares their tables.
#include "bench/harness/bench_command.hpp"

#include "apps/cli/console.hpp"
#include "apps/cli/options.hpp"
#include "bench/harness/bench_documents.hpp"
#include "bench/harness/bench_html.hpp"
#include "bench/harness/bench_json.hpp"
#include "bench/harness/bench_markdown.hpp"
#include "bench/harness/benchmark.hpp"
#include "bench/harness/compare.hpp"
#include "bench/harness/measure_in_subprocess.hpp"
#include "bench/harness/write_file.hpp"
#include "core/error.hpp"
#include "core/output/result_file.hpp"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <optional>
#include <utility>

namespace duomap::apps {
namespace {

/// Opens the result files and the run to compare with before anything is measured: a bad path costs no time.
class targets {
 public:
  explicit targets(const bench_request& request) {
    if (!request.before.empty()) before_ = load_run(request.before);
    if (!request.json.empty()) json_.emplace(request.json);
    if (!request.markdown.empty()) markdown_.emplace(request.markdown);
    if (!request.report.empty()) report_.emplace(request.report);
  }

  void take(const bench_run& run) {
    const std::string text = markdown_of(run);
    std::optional<saved_comparison> comparison;
    if (before_) comparison = compare(*before_, run);
    const std::string compared = comparison ? "\n" + markdown_of(*comparison) : "";
    write_file("-", text + compared);
    save(json_, json_of(run));
    save(markdown_, text + compared);
    save(report_, html_of(run, comparison ? &*comparison : nullptr));
  }

 private:
  static void save(std::optional<result_file>& file, const std::string& text) {
    if (!file) return;
    file->sink().write(byte_view(text));
    file->commit();
  }

  std::optional<bench_run> before_;
  std::optional<result_file> json_;
  std::optional<result_file> markdown_;
  std::optional<result_file> report_;
};

bench_table not_measured(const std::string& name, const std::string& reason) {
  return {.name = name,
          .title = name,
          .rows = {{.workload = "", .program = "duomap", .device = "gpu", .not_measured = reason}},
          .plot = bench_plot::none};
}

void write_documents(const bench_request& request) {
  std::vector<saved_run> runs;
  for (const std::string& path : request.from) {
    const std::string name = std::filesystem::path(path).stem().string();
    if (std::ranges::find(runs, name, &saved_run::name) != runs.end())
      throw usage_error("two of the saved runs are called '" + name + "'; give them different names");
    runs.push_back({name, load_run(path)});
  }
  for (const document_file& file : documents_of(runs)) {
    const std::filesystem::path path = std::filesystem::path(request.documents) / file.path;
    std::error_code problem;
    std::filesystem::create_directories(path.parent_path(), problem);
    if (problem)
      throw output_error("cannot make the folder of '" + path.string() + "': " + problem.message());
    write_file(path.string(), file.text);
    say("wrote " + path.string());
  }
}

void show_saved(const bench_request& request) {
  if (!request.documents.empty()) return write_documents(request);
  if (request.from.size() != 1)
    throw usage_error("several saved runs are for --docs; --from takes one otherwise");
  targets(request).take(load_run(request.from.front()));
}

}  // namespace

void add_bench_request(CLI::App& command, bench_request& into) {
  add_flag(command, "--quick", into.quick, "smaller and fewer runs, where a benchmark has them");
  add_text(command, "--export-json", into.json, "save the run here, with every time and the machine");
  add_text(command, "--export-markdown", into.markdown, "save the tables here");
  add_text(command, "--report", into.report,
           "save a page here with the tables, pictures with\ntheir spreads, and the comparison; any browser\n"
           "opens it, without a network");
  add_text(command, "--compare", into.before,
           "a saved run (JSON) to compare with: which\ndifferences exceed the noise");
}

void add_saved_run_options(CLI::App& command, bench_request& into) {
  add_repeated_text(command, "--from", into.from,
                    "show this saved run instead of measuring; with --docs\nseveral times");
  add_text(command, "--docs", into.documents,
           "write each table of the saved runs, and its plot,\ninto this folder");
}

std::string bench_list_text() {
  std::vector<std::pair<std::string, std::string>> lines;
  for (const suite* one : all_suites()) lines.emplace_back(one->name, one->summary);
  for (const benchmark* one : all_benchmarks()) lines.emplace_back(one->name, one->summary);
  std::size_t width = 0;
  for (const auto& [name, summary] : lines) width = std::max(width, name.size());
  std::string text;
  for (const auto& [name, summary] : lines)
    text += name + std::string(width + 2 - name.size(), ' ') + summary + "\n";
  return text +
         "\nMeasure one or several: duomap bench NAME... [--quick] [--export-json FILE] [--compare "
         "OLD.json]\n";
}

void bench_command(const std::vector<suite_measurement>& chosen, const bench_request& request,
                   const std::string& command, run_control& control) {
  if (!request.from.empty()) {
    if (!chosen.empty()) throw usage_error("--from shows a saved run: name nothing to measure beside it");
    return show_saved(request);
  }
  if (!request.documents.empty()) throw usage_error("--docs needs saved runs: --from RUN.json");
  if (chosen.empty())
    throw usage_error("name what is to be measured; `duomap bench` alone lists what there is");
  refuse_torture();

  targets results(request);
  std::vector<bench_table> tables;
  std::string ended_early;
  std::exception_ptr problem;
  for (const suite_measurement& one : chosen) {
    const std::string name(one.name);
    if (chosen.size() > 1) say("measuring " + name);
    try {
      for (bench_table& table :
           measure_in_subprocess(name, one.measure, {.control = control, .quick = request.quick}))
        tables.push_back(std::move(table));
    } catch (const device_unavailable& missing) {
      if (chosen.size() == 1) throw;
      tables.push_back(not_measured(name, missing.what()));
    } catch (const interrupted&) {
      throw;
    } catch (const std::exception& other) {
      if (tables.empty()) throw;
      ended_early = name + ": " + other.what();
      problem = std::current_exception();
      break;
    }
  }
  // new_run() may start threads, so it comes after the measurements, which fork.
  bench_run run = new_run(command, request.quick);
  run.tables = std::move(tables);
  run.ended_early = ended_early;
  results.take(run);
  if (problem) std::rethrow_exception(problem);
}

}  // namespace duomap::apps
