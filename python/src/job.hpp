// One call from Python: runs with its options, under supervision, and gives the result with its report.
#pragma once

#include "apps/cli/summary.hpp"
#include "core/job_options.hpp"
#include "core/report.hpp"
#include "core/run_control.hpp"
#include "settings.hpp"
#include "supervise.hpp"

#include <nanobind/nanobind.h>

#include <chrono>
#include <optional>
#include <type_traits>
#include <utility>

namespace duomap::python {

/// What work is given.
struct job {
  const apps::run_options& how;
  run_control control = {};
  apps::run_summary summary = {};

  [[nodiscard]] run_report& report() { return summary.report; }
  [[nodiscard]] job_options options() { return apps::job_options_for(how, control, summary.report); }
  [[nodiscard]] unsigned threads() const { return how.threads.value_or(0); }
};

/// The result of work(job) and its report. `brief` work is done on the calling thread, without the GIL: it
/// takes less time than starting a thread does, and a signal can wait for it.
template <class Work>
auto run_job(const settings& how, bool brief, const Work& work) {
  require_own_process();
  job one{how.options};
  std::optional<std::invoke_result_t<Work, job&>> result;
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

/// The class Report.
void add_report(nanobind::module_& module);

}  // namespace duomap::python
