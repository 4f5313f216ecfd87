// Adds up the parts of a job's steps, as executor reports.
#include "scheduler/report/steps_report.hpp"

#include "core/add_note.hpp"

#include <algorithm>
#include <string>

namespace duomap::scheduler {
void add_steps(const iterative_report& steps, std::uint64_t units, unsigned workers, run_report& report) {
  report.map_seconds = steps.seconds;
  report.degraded = steps.degraded;
  report.timeline = steps.timeline;
  double mapped = 0;
  for (const iterative_part& part : steps.parts) mapped += static_cast<double>(part.units);
  for (const iterative_part& part : steps.parts) {
    const unsigned threads = part.kind == executor_kind::device ? 1 : workers;
    const double share = mapped > 0 ? static_cast<double>(part.units) / mapped : 0;
    report.executors.push_back({.name = part.name,
                                .workers = threads,
                                .chunks = part.steps,
                                .units = static_cast<std::uint64_t>(share * static_cast<double>(units)),
                                .busy_seconds = std::min(part.busy_seconds, steps.seconds) * threads,
                                .trouble = part.trouble,
                                .reason = part.reason,
                                .start_seconds = part.start_seconds,
                                .copy_seconds = part.move_seconds,
                                .seconds_per_unit = part.seconds_per_unit,
                                .kind = part.kind});
  }
  for (const std::string& note : steps.notes) add_note(report.notes, note);
}

}  // namespace duomap::scheduler
