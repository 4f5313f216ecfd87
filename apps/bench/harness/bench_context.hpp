// What a benchmark is given, and the small things that each of them needs.
// host only
#pragma once

#include "core/job_options.hpp"
#include "core/run_control.hpp"

#include <algorithm>
#include <chrono>
#include <concepts>
#include <cstdint>
#include <string>
#include <vector>

namespace duomap::apps {

/// What a benchmark is given.
struct bench_context {
  run_control& control;  ///< pass it to runs: it carries the interrupt in
  bool quick = false;    ///< --quick: smaller workloads and fewer rounds, minutes instead of many

  /// Rounds when so many were asked for: quick ones are three, which is as few as percentiles need.
  [[nodiscard]] unsigned rounds(unsigned asked) const { return quick ? std::min(asked, 3u) : asked; }
  /// Bytes, rows or points when so many were asked for: quick ones are a tenth.
  [[nodiscard]] std::uint64_t size(std::uint64_t asked) const {
    return quick ? std::max<std::uint64_t>(asked / 10, 1) : asked;
  }
  /// Bytes of inputs: `asked` alone, if it is not 0, or the usual ones, of which quick ones are 1 and 20 MB.
  [[nodiscard]] std::vector<std::uint64_t> sizes(std::uint64_t asked,
                                                 std::vector<std::uint64_t> usual) const {
    if (asked > 0) return {asked};
    return quick ? std::vector<std::uint64_t>{1'000'000, 20'000'000} : usual;
  }
};

/// @throws usage_error in a torture build, whose times say nothing
void refuse_torture();

/// As rows of tables name it: "cpu", "gpu", "cpu+gpu", "auto".
[[nodiscard]] std::string device_text(device_choice choice);

/// Numbers of threads to measure with: 1, 2, 4, ... and all cores.
[[nodiscard]] std::vector<unsigned> thread_counts(unsigned cores);

/// Runs from its making on.
class stopwatch {
 public:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Seconds that work() takes by the clock.
template <std::invocable Work>
[[nodiscard]] double seconds_of(Work&& work) {
  const stopwatch clock;
  work();
  return clock.seconds();
}

}  // namespace duomap::apps
