// A comparison: variants of the same work, timed in turn, their answers compared.
// host only
#pragma once

#include "apps/bench/harness/answer_digest.hpp"
#include "apps/bench/harness/bench_table.hpp"
#include "core/report.hpp"
#include "core/run_control.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace duomap::apps {

/// What one run took, and what it says of itself.
struct timed_run {
  double seconds = 0;
  double processor_seconds = 0;  ///< of all threads of the process
  run_report report = {};
  std::optional<answer_digest> answer = {};      ///< compared with those of all other runs
  std::optional<std::uint64_t> host_bytes = {};  ///< peak of memory that is not a mapped file
  std::vector<bench_figure> figures = {};        ///< the same ones of each run
};

/// One way to do the work.
struct variant {
  std::string name = {};       ///< "sequential", "plain oneTBB", "duomap"
  std::string device = "cpu";  ///< as bench_row::device
  unsigned threads = 1;        ///< of the CPU
  /// Returns nothing when the variant does not run this time. @throws error when its answer is wrong
  std::function<std::optional<timed_run>()> run = {};
  std::string not_measured = {};  ///< why `run` is empty, half a sentence
  unsigned warm_up = 1;           ///< runs before all rounds, which do not count
  bool first_is_cold = false;     ///< the first of these is a cold one, which the row shows
};

/// What one variant did.
struct series {
  std::string name = {};
  std::vector<timed_run> runs = {};  ///< one of each round
  double first_seconds = 0;          ///< of the first run that does not count

  [[nodiscard]] std::vector<double> seconds() const;
  [[nodiscard]] std::vector<double> processor_seconds() const;
  [[nodiscard]] double middle() const;
};

/// At least `least` rounds, then more while neither `most` nor `seconds` is reached.
struct round_limits {
  unsigned least = 5;
  unsigned most = 25;
  double seconds = 2;
};

/// The order of the variants in a round.
enum class turns {
  same,            ///< A B C A B C ...: where each depends on what the one before it has left
  back_and_forth,  ///< A B C C B A ...: so that no variant always comes after the same one
};

struct comparison_rules {
  round_limits rounds = {};
  turns order = turns::same;
  double short_seconds = 0;  ///< a variant that takes less is led in, each time, by a run that does not count
  double sample_seconds = 0;  ///< a round's sample is the median of as many runs as this holds; 0: one run
};

/// So many rounds of one run each.
[[nodiscard]] comparison_rules rounds_of_one_run(unsigned rounds);

/// Samples that hold 10 ms, so that a short run's noise is no larger than a long one's. Runs below a second
/// are led in: a run on a GPU takes longer after one on the CPU than after another on the GPU.
[[nodiscard]] comparison_rules steady_samples(const round_limits& rounds, turns order = turns::same);

/// Runs variants, and compares the answers of all their runs with the first one's.
class comparison {
 public:
  explicit comparison(const run_control& control) : control_(control) {}

  /// Runs every variant in each round, so that a change of the machine's speed meets all of them. Variants
  /// without `run` have no runs.
  /// @throws error when two answers differ; interrupted, and what the variants throw
  [[nodiscard]] std::vector<series> in_turn(const std::vector<variant>& variants,
                                            const comparison_rules& rules);

  /// The same with one variant.
  [[nodiscard]] series alone(const variant& one, unsigned rounds);

  /// Runs variants in rounds of one run each, and adds a row for each to a table: checked when there are
  /// several, speed-ups over the first of them. Returns these rows.
  std::span<bench_row> add_in_turn(const std::vector<variant>& variants, unsigned rounds,
                                   const std::string& workload, const bench_work& work, bench_table& table);

  /// Runs one variant, and adds its row and what its reports note to a table. Returns the row.
  bench_row& add_alone(const variant& one, unsigned rounds, const std::string& workload,
                       const bench_work& work, bench_table& table);

  /// That of all runs so far. Requires that one had an answer.
  [[nodiscard]] const answer_digest& answer() const;

 private:
  std::optional<timed_run> run(const variant& one);
  std::optional<timed_run> sample(const variant& one, unsigned runs);

  const run_control& control_;
  std::optional<answer_digest> answer_;
  std::string first_;  // the variant whose answer that is
};

/// @throws error saying that `program` gave another answer than `reference`, unless `same`
void require_same_answer(bool same, const std::string& program, const std::string& reference,
                         const std::string& difference = "");

/// A variant's row, its figures the medians of those of its runs.
[[nodiscard]] bench_row row_of(const variant& one, const series& measured, const std::string& workload,
                               const bench_work& work);

/// A row for each variant, checked when there are several.
[[nodiscard]] std::vector<bench_row> rows_of(const std::vector<variant>& variants,
                                             const std::vector<series>& measured, const std::string& workload,
                                             const bench_work& work);

}  // namespace duomap::apps
