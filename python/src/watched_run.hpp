// Runs the work of one Python call while it watches for signals and progress. Returns the result with a
// report.
#pragma once

#include "apps/report/summary.hpp"
#include "core/report.hpp"
#include "core/run_control.hpp"
#include "core/run_options.hpp"
#include "settings.hpp"
#include "supervise.hpp"

#include <nanobind/nanobind.h>

#include <chrono>
#include <optional>
#include <type_traits>
#include <utility>

namespace duomap::python {

/// A run that supervise() watches: its options, its progress and its report.
struct watched_run {
  const settings& how;
  run_control control = {};
  apps::run_summary summary = {};

  [[nodiscard]] run_report& report() { return summary.report; }
  [[nodiscard]] run_options options() {
    run_options all = how.options;
    all.control = &control;
    all.report = &summary.report;
    return all;
  }
  [[nodiscard]] unsigned threads() const { return how.options.threads; }
};

/// Calls work(run) and returns its result and its report. `brief` work without a progress function runs on
/// the calling thread, without the GIL. It takes less time than the start of a thread, so signals can wait
/// for its end.
/// @throws the exceptions of `work`, of `progress` and of signal handlers; forked_process
template <class Work>
auto run_watched(const settings& how, bool brief, const Work& work) {
  require_own_process();
  watched_run one{how};
  std::optional<std::invoke_result_t<Work, watched_run&>> result;
  const auto start = std::chrono::steady_clock::now();
  if (brief && how.progress.is_none()) {
    const nanobind::gil_scoped_release free;
    result.emplace(work(one));
  } else {
    supervise(one.control, how.progress, [&] { result.emplace(work(one)); });
  }
  one.summary.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return std::pair(*std::move(result), std::move(one.summary));
}

/// As run_watched(), for work that asks Python for input between its runs. The calling thread does the work,
/// without the GIL, because objects of Python may belong to that thread. Its runs are parts: watch_part().
template <class Work>
auto run_in_parts(const settings& how, const Work& work) {
  require_own_process();
  watched_run one{how};
  const auto start = std::chrono::steady_clock::now();
  const nanobind::gil_scoped_release free;
  auto result = work(one);
  one.summary.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return std::pair(std::move(result), std::move(one.summary));
}

/// Calls part() on a thread of its own, and watches for signals and progress.
template <class Part>
void watch_part(watched_run& one, const Part& part) {
  const nanobind::gil_scoped_acquire hold;
  supervise(one.control, one.how.progress, part);
}

/// Adds the Python class Report.
void add_report(nanobind::module_& module);

}  // namespace duomap::python
