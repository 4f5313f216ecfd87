// An experiment that has run: a row for each program, ready for tables.
// host only
#pragma once

#include "apps/bench/harness/bench_context.hpp"
#include "apps/bench/harness/bench_table.hpp"
#include "apps/bench/papers/experiment.hpp"
#include "core/report.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace duomap::apps {

/// Which programs a table is about.
struct program_on {
  std::string_view name;    ///< "duomap"
  std::string_view device;  ///< "cpu"; of several with different numbers of threads the one with the most
};

struct measured_experiment {
  std::string subject;
  std::string size;
  std::vector<bench_row> rows = {};      ///< of every program, speed-ups over the first
  std::vector<run_report> reports = {};  ///< of each row's last run; empty ones for those that are not duomap

  /// What reading the input's file into memory takes, from the page cache; nothing when it has none.
  std::optional<double> read_seconds = {};

  /// Emits of a run, where the experiment knows.
  std::optional<double> emits = {};

  /// Whether it has that program, measured or not.
  [[nodiscard]] bool has(const program_on& which) const { return last_of(which) < rows.size(); }
  /// Index of a program's row. Requires that there is one.
  [[nodiscard]] std::size_t find(const program_on& which) const;
  /// A program's row.
  [[nodiscard]] const bench_row& row(const program_on& which) const { return rows[find(which)]; }

 private:
  /// rows.size() when there is none.
  [[nodiscard]] std::size_t last_of(const program_on& which) const;
};

/// Makes the data, runs all programs in turn and compares their answers.
/// @throws error when two answers differ; interrupted, and what the programs throw
[[nodiscard]] measured_experiment measure(const planned_experiment& plan, const bench_context& context);

/// Those of a list that belong to this run, one after the other.
[[nodiscard]] std::vector<measured_experiment> measure_all(std::span<const planned_experiment> plans,
                                                           const bench_context& context);

}  // namespace duomap::apps
