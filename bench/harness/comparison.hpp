// Times variants of the same work in turn and compares their answers.
// host only
#pragma once

#include "bench/harness/answer_digest.hpp"
#include "bench/harness/bench_table.hpp"
#include "core/report.hpp"
#include "core/run_control.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace duomap::apps {

/// The times, the report and the answer of one run.
struct timed_run {
  double seconds = 0;
  double processor_seconds = 0;  ///< of all threads of the process
  run_report report = {};
  std::optional<answer_digest> answer = {};      ///< compared with the answers of all other runs
  std::optional<std::uint64_t> host_bytes = {};  ///< peak of memory that is not a mapped file
  std::vector<bench_figure> figures = {};        ///< the same names in each run of a variant
};

/// One way to do the work.
struct variant {
  std::string name = {};       ///< "sequential", "plain oneTBB", "duomap"
  std::string device = "cpu";  ///< as in bench_row::device
  unsigned threads = 1;        ///< CPU threads
  /// Runs once, or returns nothing when the variant does not run this time. @throws error when its answer is
  /// wrong
  std::function<std::optional<timed_run>()> run = {};
  std::string not_measured = {};  ///< why `run` is empty, half a sentence
  unsigned warm_up = 1;           ///< uncounted runs before all rounds
  bool first_is_cold = false;     ///< the first warm-up run is cold, and the row shows its time
};

/// The runs of one variant.
struct series {
  std::string name = {};
  std::vector<timed_run> runs = {};  ///< one for each round
  double first_seconds = 0;          ///< the time of the first warm-up run

  [[nodiscard]] std::vector<double> seconds() const;
  [[nodiscard]] std::vector<double> processor_seconds() const;
  [[nodiscard]] double middle() const;
};

/// A comparison runs at least `least` rounds, then goes on until it has run `most` or `seconds` have passed.
struct round_limits {
  unsigned least = 5;
  unsigned most = 25;
  double seconds = 2;
};

/// The order of the variants in a round.
enum class turns {
  same,            ///< A B C A B C ...: if a variant depends on the one before, that is always the same
  back_and_forth,  ///< A B C C B A ...: so that no variant always follows the same other one
};

struct comparison_rules {
  round_limits rounds = {};
  turns order = turns::same;
  double short_seconds = 0;   ///< a variant with shorter runs does an uncounted run before each sample
  double sample_seconds = 0;  ///< a sample is the median of the runs that fill this time; 0: one run
};

/// Rules for `rounds` rounds with one run of each variant.
[[nodiscard]] comparison_rules rounds_of_one_run(unsigned rounds);

/// Rules for samples of 10 ms, so that short runs are no noisier than long ones. A run on a GPU takes longer
/// after a run on the CPU than after a run on the GPU. So a variant whose runs take less than a second does
/// an uncounted run before each sample.
[[nodiscard]] comparison_rules steady_samples(const round_limits& rounds, turns order = turns::same);

/// Runs variants and compares the answer of every run with the first answer.
class comparison {
 public:
  explicit comparison(const run_control& control) : control_(control) {}

  /// Runs every variant in each round, so that a change of the machine's speed affects all of them. A variant
  /// without `run` gets an empty series.
  /// @throws error when two answers differ; interrupted; any exception of the variants
  [[nodiscard]] std::vector<series> in_turn(const std::vector<variant>& variants,
                                            const comparison_rules& rules);

  /// Runs one variant for `rounds` rounds.
  [[nodiscard]] series alone(const variant& one, unsigned rounds);

  /// In each round runs every variant once. Adds a row for each variant to a table, with its speed-up over
  /// the first variant. The rows count as checked if there are several variants. Returns these rows.
  std::span<bench_row> add_in_turn(const std::vector<variant>& variants, unsigned rounds,
                                   const std::string& workload, const bench_work& work, bench_table& table);

  /// Runs one variant and adds its row and the notes of its reports to a table. Returns the row.
  bench_row& add_alone(const variant& one, unsigned rounds, const std::string& workload,
                       const bench_work& work, bench_table& table);

  /// The answer that all runs so far gave. Requires that a run had an answer.
  [[nodiscard]] const answer_digest& answer() const;

 private:
  std::optional<timed_run> run(const variant& one);
  std::optional<timed_run> sample(const variant& one, unsigned runs);

  const run_control& control_;
  std::optional<answer_digest> answer_;
  std::string first_;  // the variant that gave `answer_`
};

/// Throws, unless `same`, an error that says that `program` and `reference` gave different answers.
void require_same_answer(bool same, const std::string& program, const std::string& reference,
                         const std::string& difference = "");

/// Makes the row of a variant; each of its figures is the median over the runs.
[[nodiscard]] bench_row row_of(const variant& one, const series& measured, const std::string& workload,
                               const bench_work& work);

/// Makes a row for each variant; the rows count as checked if there are several variants.
[[nodiscard]] std::vector<bench_row> rows_of(const std::vector<variant>& variants,
                                             const std::vector<series>& measured, const std::string& workload,
                                             const bench_work& work);

}  // namespace duomap::apps
