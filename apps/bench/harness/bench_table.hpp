// What a benchmark returns: tables of measured rows. Renderers and files are elsewhere (bench_markdown.hpp,
// bench_json.hpp).
// host only
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace duomap::apps {

/// What one run goes through, for a rate: 420e6 of "B", 1e6 of "points", 2e9 of "FLOP". 0: no rate.
struct bench_work {
  double amount = 0;
  std::string unit = {};
};

/// Something measured that not every benchmark has: {"of it mapping", 0.0031, "s"}, {"GPU's share", 0.93,
/// ""}, or a paper's number beside ours: {"claimed", 3.5, "x"}.
struct bench_figure {
  std::string name;
  double value = 0;
  std::string unit = {};  ///< "s", "B", "x" (a ratio), another one; empty: a plain number
};

/// One program on one workload. (workload, program, device, threads) are its identity within its table: two
/// saved runs are compared by it, so these four hold nothing that differs between runs.
struct bench_row {
  std::string workload;        ///< "420 MB of novels", "60,000 x 784"
  std::string program;         ///< "duomap", "scikit-learn"
  std::string device = "cpu";  ///< "cpu", "gpu", "cpu+gpu", "auto"
  unsigned threads = 1;        ///< of the CPU that the program was allowed

  std::optional<double> x = {};             ///< the workload on the axis of a line plot, if it is a number
  std::vector<double> seconds = {};         ///< each warm run; empty only with `not_measured`
  std::optional<double> cold_seconds = {};  ///< the first run: device, file or process were not warm yet
  bench_work work = {};                     ///< of one run
  std::optional<std::uint64_t> host_bytes = {};    ///< peak of memory that is not a mapped file, when known
  std::optional<std::uint64_t> device_bytes = {};  ///< peak of device memory, when known
  std::optional<double> speed_up = {};  ///< times as fast as the table's baseline; see set_speed_ups()
  std::vector<bench_figure> figures = {};
  bool checked = false;           ///< its answer was compared with another program's, and equal
  std::string not_measured = {};  ///< why there are no seconds: "no GPU", "scikit-learn is not installed"
  std::string note = {};          ///< what a reader should know of this row
};

/// How a table is drawn in the documents.
enum class bench_plot { none, bars, lines };

/// What is drawn.
enum class bench_axis { seconds, rate, speed_up };

/// Rows that belong together.
struct bench_table {
  std::string name;   ///< identity among saved runs, lower case with hyphens: "wordcount", "mars-table-4"
  std::string title;  ///< one line: "Word count of novels, CPU"
  std::string subject = {};   ///< what exactly was measured, from where to where the clock ran; sentences
  std::string baseline = {};  ///< what speed-ups are over: "std::unordered_map loop"
  std::vector<bench_row> rows = {};
  std::vector<std::string> notes = {};  ///< sentences below the table
  bench_plot plot = bench_plot::bars;
  bench_axis plotted = bench_axis::speed_up;
  std::string x_label = {};  ///< of bench_row::x, with its unit: "distinct keys"
};

/// Gives each measured row from `first` on the median of row[first]'s seconds over its own, round by round
/// where both have as many (rounds taken in turn), else the ratio of medians.
void set_speed_ups(bench_table& table, std::size_t first = 0);

/// The same over any row: how many times as fast `row` is as `baseline`. Both are measured.
[[nodiscard]] double speed_up_over(const bench_row& baseline, const bench_row& row);

}  // namespace duomap::apps
