// Several kinds of runs, timed in turn until their medians are known well enough.
// host only
#pragma once

#include "core/report.hpp"
#include "core/run_control.hpp"

#include <functional>
#include <string>
#include <vector>

namespace duomap::apps {

/// What one run took, and what it says of itself.
struct timed_run {
  double seconds = 0;
  double processor_seconds = 0;  ///< of all threads of the process
  run_report report;
};

struct kind_of_run {
  std::string name;
  std::function<timed_run()> run;
  unsigned learning = 0;  ///< runs before all others, from which it learns how it is to run
};

/// At least `least` rounds, then more while neither `most` nor `seconds` is reached.
struct round_limits {
  unsigned least = 5;
  unsigned most = 25;
  double seconds = 2;
};

/// The order of the kinds in a round.
enum class turns {
  same,            ///< A B C A B C ...: where each depends on what the one before it has left
  back_and_forth,  ///< A B C C B A ...: so that no kind always comes after the same one
};

/// One kind's samples, a round each.
struct series {
  std::string name;
  std::vector<double> seconds;
  std::vector<double> processor_seconds;
  run_report report;         ///< of the last run
  double first_seconds = 0;  ///< the first run, which counts no further; of those that learn, too

  [[nodiscard]] double middle() const;
};

/// Runs all kinds in each round, so that a change of the machine's speed meets all kinds. A sample is the
/// median of as many runs as 10 ms hold, so that a short run's noise is no larger than a long one's. What
/// takes less than a second is led in by a run of the same kind that does not count: on an H200 a gigabyte
/// took 26 ms after another run on the GPU, 37 ms after one on the CPU alone.
/// @throws interrupted, and what the runs throw
[[nodiscard]] std::vector<series> run_in_turn(const std::vector<kind_of_run>& kinds,
                                              const round_limits& limits, const run_control& control,
                                              turns order = turns::same);

/// A ratio of two kinds: the median over the rounds, and how far that may be off.
struct paired_ratio {
  double value = 0;
  double error = 0;  ///< standard error of a median, from the median deviation of the rounds
};

/// Seconds of `over` divided by those of `under`, round by round.
[[nodiscard]] paired_ratio ratio_of(const series& over, const series& under);

/// The same of processor time, which other programs on the machine disturb less.
[[nodiscard]] paired_ratio processor_ratio_of(const series& over, const series& under);

}  // namespace duomap::apps
