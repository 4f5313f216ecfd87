#include "apps/bench/harness/contest.hpp"

#include "apps/bench/harness/bench_context.hpp"
#include "apps/cli/memory.hpp"
#include "apps/cli/ticker.hpp"
#include "core/error.hpp"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <utility>

namespace duomap::apps {
namespace {

// What a child sends to its parent, through a pipe, as bytes.
struct child_report {
  contest_sample sample;
  answer_digest answer;
};

[[noreturn]] void solve_in_child(const contender& one, int report_to) {
  // Nobody would wait for it, and it leaves nothing behind.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  int status = 1;
  try {
    child_report report;
    memory_watch memory;
    {
      constexpr std::chrono::milliseconds period{5};
      const ticker ticks(period, [&] { memory.sample(); });
      // The thread that samples is no work of the contender's.
      const auto start = std::chrono::steady_clock::now();
      report.answer = one.solve([&] {
        const auto end = std::chrono::steady_clock::now();
        report.sample.seconds = std::chrono::duration<double>(end - start).count();
        memory.sample();
      });
    }
    report.sample.anonymous_bytes = memory.peak().anonymous;
    const bool sent = ::write(report_to, &report, sizeof report) == static_cast<ssize_t>(sizeof report);
    status = sent ? 0 : 1;
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "duomap: benchmark of %s: %s\n", one.name.c_str(), problem.what());
  }
  // Not exit(): what the parent registered to run at its end is not the child's to run.
  std::fflush(stderr);
  ::_exit(status);
}

child_report run_child(const contender& one, const run_control& control) {
  int ends[2];
  if (::pipe(ends) != 0) {
    throw error(exit_status::failed, std::string("a benchmark needs a pipe: ") + std::strerror(errno));
  }
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[0]);
    solve_in_child(one, ends[1]);
  }
  ::close(ends[1]);
  child_report report;
  ssize_t received = -1;
  int status = -1;
  if (child > 0) {
    while ((received = ::read(ends[0], &report, sizeof report)) < 0 && errno == EINTR) {
      // Contenders know nothing of interrupts; waiting for one to end would outlast the second that is
      // granted for removing files.
      if (control.cancelled.load(std::memory_order_relaxed)) ::kill(child, SIGKILL);
    }
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
  }
  ::close(ends[0]);
  stop_if_cancelled(control);
  if (received != static_cast<ssize_t>(sizeof report) || status != 0) {
    throw error(exit_status::failed, "the benchmark of " + one.name + " did not finish; see above");
  }
  return report;
}

}  // namespace

void answer_digest::add(const char* key, std::uint64_t size, std::uint64_t count) {
  // FNV-1a: not a hash that any contender uses.
  std::uint64_t hash = 0xCBF29CE484222325u;
  for (std::uint64_t i = 0; i < size; ++i)
    hash = (hash ^ static_cast<unsigned char>(key[i])) * 0x100000001B3u;
  ++rows;
  total += count;
  sum += hash * (2 * count + 1);
}

contest_result run_contest(const std::vector<contender>& contenders, unsigned rounds,
                           const run_control& control) {
  contest_result result;
  result.samples.resize(contenders.size());
  for (unsigned round = 0; round <= rounds; ++round) {
    for (std::size_t i = 0; i < contenders.size(); ++i) {
      stop_if_cancelled(control);
      const child_report report = run_child(contenders[i], control);
      if (round == 0 && i == 0) result.answer = report.answer;
      if (!(report.answer == result.answer)) {
        throw error(exit_status::failed, contenders[i].name + " gives another answer than " +
                                             contenders[0].name + ": " + std::to_string(report.answer.rows) +
                                             " rows that count " + std::to_string(report.answer.total) +
                                             ", not " + std::to_string(result.answer.rows) +
                                             " rows that count " + std::to_string(result.answer.total));
      }
      if (round > 0) result.samples[i].push_back(report.sample);
    }
  }
  return result;
}

std::vector<bench_row> rows_of(const contest_result& result, const std::vector<contender>& contenders,
                               const std::string& workload, const bench_work& work) {
  std::vector<bench_row> rows;
  for (std::size_t i = 0; i < contenders.size(); ++i) {
    bench_row row{.workload = workload,
                  .program = contenders[i].name,
                  .threads = contenders[i].threads,
                  .work = work,
                  .checked = contenders.size() > 1};
    std::uint64_t bytes = 0;
    for (const contest_sample& sample : result.samples[i]) {
      row.seconds.push_back(sample.seconds);
      bytes = std::max(bytes, sample.anonymous_bytes);
    }
    if (bytes > 0) row.host_bytes = bytes;
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace duomap::apps
