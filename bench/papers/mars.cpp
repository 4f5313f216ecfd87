// Measures the six applications of Mars and makes its tables and figures.
#include "bench/papers/mars.hpp"

#include "apps/report/quantity.hpp"
#include "bench/papers/experiments.hpp"
#include "bench/papers/paper_tables.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace duomap::apps {
namespace {

constexpr std::uint64_t megabyte = 1'000'000;
// The number of different visits in a log. Small logs have fewer lines than this, so visits seldom repeat,
// and the table is accessed at random.
constexpr std::uint64_t visits = 400'000;

std::vector<named_size> sizes_of(const std::vector<std::uint64_t>& sizes, const std::string& unit) {
  std::vector<named_size> all;
  for (const std::uint64_t size : sizes) all.push_back({size, std::to_string(size) + unit});
  return all;
}

/// Adds figures for the parts of a run's time: map and merge on the host, and for a GPU also copies and
/// kernels. Copies, kernels and the host's work overlap.
void add_breakdown(bench_row& row, const run_report& report) {
  if (row.seconds.empty()) return;
  const double rest = row.seconds.back() - report.map_seconds - report.merge_seconds;
  row.figures.push_back({"map", report.map_seconds, "s"});
  row.figures.push_back({"merge", report.merge_seconds, "s"});
  row.figures.push_back({"before, between and behind them", std::max(rest, 0.0), "s"});
  double copies = 0, kernels = 0, grouping = 0, reducing = 0;
  for (const executor_report& one : report.executors) {
    copies += one.copy_seconds;
    kernels += one.compute_seconds + one.engine.write_seconds;
    grouping += one.engine.group_seconds;
    reducing += one.engine.reduce_seconds;
  }
  if (copies + kernels == 0) return;
  row.figures.push_back({"copies to the GPU", copies, "s"});
  row.figures.push_back({"map kernels", kernels, "s"});
  if (grouping + reducing == 0) return;
  row.figures.push_back({"grouping kernels", grouping, "s"});
  row.figures.push_back({"reduce kernels", reducing, "s"});
}

bench_table breakdown_of(std::span<const measured_experiment> all) {
  bench_table table;
  table.name = "mars-figure-5";
  table.title = "Mars, figure 5: where the time goes";
  table.subject =
      "Of the last of several runs, from the opened input, in the page cache, to the complete result. The "
      "paper divides a run on the GPU into reading files, map with the copy to the device, sort, and reduce "
      "with the copy back; duomap reduces while it maps, so that its map is all three but for what merging "
      "the workers' parts takes. With the sort engine, which does as Mars, kernels are divided as there. "
      "Copies and kernels overlap each other and are within map";
  table.baseline = "the sequential program";
  table.plot = bench_plot::none;
  for (const measured_experiment& one : all) {
    for (std::size_t at = 0; at < one.rows.size(); ++at) {
      bench_row row = one.rows[at];
      const bool is_ours = row.program.starts_with("duomap") && row.device != "cpu+gpu";
      if (!is_ours || (row.device == "cpu" && at != one.find(on::cpu))) continue;
      add_breakdown(row, one.reports[at]);
      if (one.read_seconds && !row.seconds.empty())
        row.figures.push_back({"reading the file beforehand would take", *one.read_seconds, "s"});
      table.rows.push_back(std::move(row));
    }
  }
  table.notes.push_back(
      "In the paper reading files from one hard disk was most of the time of string match and inverted "
      "index, and sorting a large part of that of similarity score, page view count and page view rank. Here "
      "files are mapped and in the page cache, and nothing is sorted to be grouped");
  return table;
}

}  // namespace

std::vector<planned_experiment> experiments_of_mars() {
  std::vector<planned_experiment> all;
  const auto add = [&](const std::string& subject, const std::vector<named_size>& sizes, const auto& make) {
    add_sizes(all, "Mars", subject, sizes, make);
  };
  add("string match", sizes_of({32, 64, 128}, " MB"),
      [](std::uint64_t size) { return stringmatch_experiment(size * megabyte); });
  add("inverted index", sizes_of({16, 32, 64}, " MB"),
      [](std::uint64_t size) { return invertedindex_experiment(size * megabyte); });
  add("similarity score", sizes_of({512, 1024, 2048}, ""), similarity_experiment);
  add("matrix multiplication", sizes_of({512, 1024, 2048}, ""), matmul_experiment);
  add("page view count", sizes_of({32, 64, 96}, " MB"), [](std::uint64_t size) {
    return pageviewcount_experiment(size * megabyte, visits, compared_engines::sort);
  });
  add("page view rank", sizes_of({32, 64, 96}, " MB"),
      [](std::uint64_t size) { return pageviewrank_experiment(size * megabyte, visits); });
  return all;
}

std::vector<bench_table> measure_mars(const bench_context& context) {
  const std::vector<measured_experiment> all = measure_all(experiments_of_mars(), context);
  std::vector<bench_table> tables;
  tables.push_back(table_of_all({"mars-table-4", "Mars, table 4: six applications",
                                 "He et al., PACT 2008. Synthetic data from seeds in place of the paper's, "
                                 "which was random too or is not to be had: HTML, logs of " +
                                     count_text(visits) +
                                     " possible visits, vectors of 128 numbers, square matrices. From the "
                                     "opened input, in the page cache, to the complete result"},
                                all));
  tables.push_back(
      table_beside_published({"mars-figure-4", "Mars, figure 4: the GPU over all cores",
                              "The paper compares Mars on a GPU with Phoenix on four cores; here "
                              "duomap on the GPU stands beside duomap on all cores"},
                             all, std::array{on::cpu, on::gpu}, "duomap on all cores",
                             published_results_of_mars(), published_over::all_cores, paper_machine::mars));
  tables.push_back(breakdown_of(all));
  tables.push_back(table_beside_published(
      {"mars-figure-9", "Mars, figure 9: co-processing over the GPU alone",
       "The paper splits the data by the ratio of two earlier runs; duomap finds the split while it runs"},
      all, std::array{on::gpu, on::both}, "duomap on the GPU", published_results_of_mars(),
      published_over::gpu_alone, paper_machine::mars));
  return tables;
}

}  // namespace duomap::apps
