// The tables of measured rows that a benchmark returns. Renderers and files are elsewhere
// (bench_markdown.hpp, bench_json.hpp).
// host only
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace duomap::apps {

/// The work of one run, for a rate: 420e6 of "B", 1e6 of "points", 2e9 of "FLOP". An amount of 0 gives no
/// rate.
struct bench_work {
  double amount = 0;
  std::string unit = {};
};

/// A measured number that only some benchmarks have: {"of it mapping", 0.0031, "s"}, {"GPU's share", 0.93,
/// ""}, or a paper's number beside ours: {"claimed", 3.5, "x"}.
struct bench_figure {
  std::string name;
  double value = 0;
  std::string unit = {};  ///< "s", "B", "x" for a ratio, or another unit; empty for a plain number
};

/// One program on one workload. (workload, program, device, threads) identify a row within its table. A
/// comparison of two saved runs pairs rows by these four, so they must hold nothing that differs between
/// runs.
struct bench_row {
  std::string workload;        ///< "420 MB of novels", "60,000 x 784"
  std::string program;         ///< "duomap", "scikit-learn"
  std::string device = "cpu";  ///< "cpu", "gpu", "cpu+gpu", "auto"
  unsigned threads = 1;        ///< CPU threads that the program may use

  std::optional<double> x = {};             ///< the workload on the axis of a line plot, if it is a number
  std::vector<double> seconds = {};         ///< one number for each warm run; empty only with `not_measured`
  std::optional<double> cold_seconds = {};  ///< the first run, whose device, file or process was not warm yet
  bench_work work = {};                     ///< the work of one run
  std::optional<std::uint64_t> host_bytes = {};    ///< peak of memory that is not a mapped file, if known
  std::optional<std::uint64_t> device_bytes = {};  ///< peak of device memory, if known
  std::optional<double> speed_up = {};  ///< times as fast as the table's baseline; see set_speed_ups()
  std::vector<bench_figure> figures = {};
  bool checked = false;           ///< another program gave the same answer
  std::string not_measured = {};  ///< why there are no seconds: "no GPU", "scikit-learn is not installed"
  std::string note = {};          ///< for readers of this row
};

/// The ways in which documents draw a table.
enum class bench_plot { none, bars, lines };

/// The number that a plot draws.
enum class bench_axis { seconds, rate, speed_up };

/// Rows that belong together.
struct bench_table {
  std::string name;   ///< identity among saved runs, lower case with hyphens: "wordcount", "mars-table-4"
  std::string title;  ///< one line: "Word count of novels, CPU"
  std::string subject = {};   ///< sentences: the measured work, and where the clock started and stopped
  std::string baseline = {};  ///< the program that speed-ups are over: "std::unordered_map loop"
  std::vector<bench_row> rows = {};
  std::vector<std::string> notes = {};  ///< sentences below the table
  bench_plot plot = bench_plot::bars;
  bench_axis plotted = bench_axis::speed_up;
  std::string x_label = {};  ///< the name and unit of bench_row::x: "distinct keys"
};

/// Sets the speed-up of each measured row from index `first` on. The row at `first` is their baseline.
void set_speed_ups(bench_table& table, std::size_t first = 0);

/// The speed of `row` divided by the speed of `baseline`. If both took the same number of rounds in turn,
/// this is the median of the rounds' ratios, else the ratio of the medians. Requires that both are measured.
[[nodiscard]] double speed_up_over(const bench_row& baseline, const bench_row& row);

}  // namespace duomap::apps
