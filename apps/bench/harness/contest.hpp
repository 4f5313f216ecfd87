// A benchmark: several programs for the same task, timed in turn, their answers compared.
// host only
#pragma once

#include "apps/bench/harness/bench_table.hpp"
#include "core/run_control.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace duomap::apps {

/// What identifies an answer without keeping it: equal for equal sets of (key, count), whatever their order.
struct answer_digest {
  std::uint64_t rows = 0;
  std::uint64_t total = 0;  ///< sum of the counts
  std::uint64_t sum = 0;    ///< sum of a hash of each row

  void add(const char* key, std::uint64_t size, std::uint64_t count);
  friend bool operator==(const answer_digest&, const answer_digest&) = default;
};

/// One way to do the task. `solve` is called in a child process of its own, so that no contender meets the
/// heap, the threads or the page tables that another one left; it calls `stop_clock` when its result is
/// complete, then returns the digest.
struct contender {
  std::string name;
  unsigned threads = 1;
  std::function<answer_digest(const std::function<void()>& stop_clock)> solve;
};

/// What one contender did in one round.
struct contest_sample {
  double seconds = 0;
  std::uint64_t anonymous_bytes = 0;  ///< most memory seen that is not a mapped file
};

struct contest_result {
  answer_digest answer;                              ///< everybody's
  std::vector<std::vector<contest_sample>> samples;  ///< [contender][round]
};

/// Runs every contender once as a warm-up, then `rounds` times in turn, A B C A B C ..., so that a change of
/// the machine's speed meets all of them. Must be called before this process has started threads.
/// @throws error when a contender fails, or when two answers differ; interrupted
[[nodiscard]] contest_result run_contest(const std::vector<contender>& contenders, unsigned rounds,
                                         const run_control& control);

/// What came of it, a row for each contender; checked, because run_contest() compared the answers.
/// @param work of one run
[[nodiscard]] std::vector<bench_row> rows_of(const contest_result& result,
                                             const std::vector<contender>& contenders,
                                             const std::string& workload, const bench_work& work);

}  // namespace duomap::apps
