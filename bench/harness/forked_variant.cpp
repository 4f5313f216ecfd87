// Solves in a child process while a thread of the child samples its memory.
#include "bench/harness/forked_variant.hpp"

#include "apps/cli/ticker.hpp"
#include "apps/report/memory.hpp"
#include "bench/harness/subprocess.hpp"

#include <chrono>

namespace duomap::apps {
namespace {

// A child's result, sent to its parent as bytes.
struct child_report {
  double seconds = 0;
  std::uint64_t anonymous_bytes = 0;  // largest memory seen that is not a mapped file
  answer_digest answer;
};

child_report solve_in_child(const solver& solve) {
  child_report report;
  memory_watch memory;
  {
    constexpr std::chrono::milliseconds period{5};
    const ticker ticks(period, [&] { memory.sample(); });
    // The clock starts after the sampling thread, which is not part of the variant's work.
    const auto start = std::chrono::steady_clock::now();
    report.answer = solve([&] {
      const auto end = std::chrono::steady_clock::now();
      report.seconds = std::chrono::duration<double>(end - start).count();
      memory.sample();
    });
  }
  report.anonymous_bytes = memory.peak().anonymous;
  return report;
}

}  // namespace

variant forked_variant(const std::string& name, unsigned threads, const solver& solve,
                       const run_control& control) {
  const auto run = [name, solve, &control] {
    const auto report = value_from_subprocess<child_report>(
        name, [&] { return solve_in_child(solve); }, child_end::at_once, control);
    timed_run one{.seconds = report.seconds, .answer = report.answer};
    if (report.anonymous_bytes > 0) one.host_bytes = report.anonymous_bytes;
    return one;
  };
  return {.name = name, .threads = threads, .run = run};
}

}  // namespace duomap::apps
