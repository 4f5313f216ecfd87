#include "scheduler/report/steps_report.hpp"

#include "core/add_note.hpp"
#include "scheduler/report/explain.hpp"

#include <algorithm>
#include <string>

namespace duomap::scheduler {
namespace {

// Before speeds are known the pool has everything, and without a pool the devices have as much each.
double planned_share(const iterative_report& steps, const iterative_part& part) {
  if (has_plan(steps)) return part.planned_share;
  const bool has_pool = std::ranges::any_of(
      steps.parts, [](const iterative_part& one) { return one.kind == executor_kind::pool; });
  if (has_pool) return part.kind == executor_kind::pool ? 1 : 0;
  return 1 / static_cast<double>(steps.parts.size());
}

}  // namespace

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
                                .planned_share = planned_share(steps, part),
                                .plan_reason = part.reason,
                                .start_seconds = part.start_seconds,
                                .copy_seconds = part.move_seconds,
                                .seconds_per_unit = part.seconds_per_unit,
                                .kind = part.kind});
  }
  for (const std::string& note : steps.notes) add_note(report.notes, note);
}

}  // namespace duomap::scheduler
