// The results of an experiment: a row for each program, ready for tables.
// host only
#pragma once

#include "bench/harness/bench_context.hpp"
#include "bench/harness/bench_table.hpp"
#include "bench/papers/experiment.hpp"
#include "core/report.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace duomap::apps {

/// Names a program of an experiment.
struct program_on {
  std::string_view name;    ///< "duomap"
  std::string_view device;  ///< "cpu"; if several rows match, the last is meant, which has the most threads
};

struct measured_experiment {
  std::string subject;
  std::string size;
  std::vector<bench_row> rows = {};      ///< one for each program; speed-ups are over the first
  std::vector<run_report> reports = {};  ///< of each row's last run; empty for programs other than duomap

  /// The seconds to read the input's file into memory from the page cache; empty if the input has no file.
  std::optional<double> read_seconds = {};

  /// The number of emits of a run, if the experiment knows it.
  std::optional<double> emits = {};

  /// Whether the experiment has this program, measured or not.
  [[nodiscard]] bool has(const program_on& which) const { return last_of(which) < rows.size(); }
  /// The index of a program's row. Requires has(which).
  [[nodiscard]] std::size_t find(const program_on& which) const;
  [[nodiscard]] const bench_row& row(const program_on& which) const { return rows[find(which)]; }

 private:
  /// The index of the last matching row; rows.size() if none matches.
  [[nodiscard]] std::size_t last_of(const program_on& which) const;
};

/// Makes the data, runs all programs in turn and compares their answers.
/// @throws error when two answers differ; interrupted; any exception of the programs
[[nodiscard]] measured_experiment measure(const planned_experiment& plan, const bench_context& context);

/// Measures the experiments of a list in order; with --quick only the quick ones.
[[nodiscard]] std::vector<measured_experiment> measure_all(std::span<const planned_experiment> plans,
                                                           const bench_context& context);

}  // namespace duomap::apps
