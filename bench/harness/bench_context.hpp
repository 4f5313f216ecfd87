// The options and helpers that every benchmark gets.
// host only
#pragma once

#include "core/run_control.hpp"
#include "core/run_options.hpp"

#include <algorithm>
#include <chrono>
#include <concepts>
#include <cstdint>
#include <string>
#include <vector>

namespace duomap::apps {

/// The options of one call of a benchmark.
struct bench_context {
  run_control& control;  ///< pass it to runs: it carries the user's interrupt to them
  bool quick = false;    ///< --quick: smaller workloads and fewer rounds, for minutes of measuring

  /// The number of rounds for `asked` rounds: with --quick at most three, the fewest that percentiles need.
  [[nodiscard]] unsigned rounds(unsigned asked) const { return quick ? std::min(asked, 3u) : asked; }
  /// The number of bytes, rows or points for `asked`: with --quick a tenth.
  [[nodiscard]] std::uint64_t size(std::uint64_t asked) const {
    return quick ? std::max<std::uint64_t>(asked / 10, 1) : asked;
  }
  /// The sizes of inputs in bytes: `asked` alone unless it is 0, else `usual`, or 1 and 20 MB with --quick.
  [[nodiscard]] std::vector<std::uint64_t> sizes(std::uint64_t asked,
                                                 std::vector<std::uint64_t> usual) const {
    if (asked > 0) return {asked};
    return quick ? std::vector<std::uint64_t>{1'000'000, 20'000'000} : usual;
  }
};

/// @throws usage_error in a torture build, whose times mean nothing
void refuse_torture();

/// The name of a device in tables: "cpu", "gpu", "cpu+gpu", "auto".
[[nodiscard]] std::string device_text(device_choice choice);

/// The numbers of threads to measure with: 1, 2, 4, ... and the number of all cores.
[[nodiscard]] std::vector<unsigned> thread_counts(unsigned cores);

/// Measures the time since it was made.
class stopwatch {
 public:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// The wall-clock seconds that work() takes.
template <std::invocable Work>
[[nodiscard]] double seconds_of(Work&& work) {
  const stopwatch clock;
  work();
  return clock.seconds();
}

}  // namespace duomap::apps
