// Lists the benchmarks of the suites and makes their synthetic files.
#include "bench/suites/application_suites.hpp"

#include "bench/data/synthetic_log.hpp"
#include "bench/data/synthetic_pages.hpp"
#include "bench/harness/bench_arguments.hpp"
#include "bench/harness/temporary_folder.hpp"
#include "gpu/device/device.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace duomap::apps {
namespace {

constexpr std::uint64_t seed = 1;
// Benchmarks repeat a file until it has the size that they want.
constexpr std::uint64_t synthetic_bytes = 20'000'000;

/// Runs the benchmark of an application without arguments.
suite_measurement bench_of(std::string_view app) {
  return {app, [app](const bench_context& context) {
            return bench_with_arguments(app, {}, context);
          }};
}

/// Runs a benchmark with `arguments` and then the path of a synthetic file. The file is called `name`, which
/// tables show as the workload.
suite_measurement bench_of_text(std::string_view app, const std::string& name, std::string (*make)(),
                                const std::vector<std::string>& arguments = {}) {
  return {app, [app, name, make, arguments](const bench_context& context) {
            const temporary_folder folder;
            std::vector<std::string> all = arguments;
            all.push_back(folder.write(name, make()));
            return bench_with_arguments(app, std::move(all), context);
          }};
}

/// Names the parts that the scheduling benchmark leaves out on a machine without a GPU, so that its tables
/// show the gap.
bench_table left_out_without_gpu() {
  bench_table table{.name = "coexec-gpu", .title = "CPU and GPU together", .plot = bench_plot::none};
  for (const char* const what : {"against each device alone", "against other ways to split",
                                 "first runs, without a profile", "efficiency and regret"}) {
    table.rows.push_back(
        {.workload = what, .program = "duomap", .device = "cpu+gpu", .not_measured = "no GPU"});
  }
  return table;
}

std::vector<bench_table> measure_coexec(const bench_context& context) {
  std::vector<bench_table> tables = bench_with_arguments("scheduling", {"--policies"}, context);
  if (gpu::discover().devices.empty()) tables.insert(tables.begin(), left_out_without_gpu());
  return tables;
}

std::string make_pages() { return synthetic_pages(synthetic_bytes, 20'000, seed); }
std::string make_log() { return synthetic_log(synthetic_bytes, 200'000, seed); }

}  // namespace

const suite& cpu_suite() {
  static const suite cpu{
      .name = "cpu",
      .summary = "every application on the CPU, against plain and installed programs",
      .measurements = {bench_of("wordcount"),
                       bench_of_text("stringmatch", "synthetic-pages.html", make_pages,
                                     {"--bytes", "400000000"}),
                       bench_of_text("pageviewcount", "synthetic.log", make_log),
                       bench_of_text("invertedindex", "synthetic-pages.html", make_pages), bench_of("kmeans"),
                       bench_of("knn"), bench_of("naivebayes"), bench_of("pca"), bench_of("matmul"),
                       bench_of("similarity")},
  };
  return cpu;
}

const suite& coexec_suite() {
  static const suite coexec{
      .name = "coexec",
      .summary = "CPU and GPU together, against each alone and other ways to split",
      .measurements = {{"scheduling", measure_coexec}},
  };
  return coexec;
}

}  // namespace duomap::apps
