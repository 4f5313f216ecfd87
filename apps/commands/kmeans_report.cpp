#include "apps/commands/kmeans_report.hpp"

#include "apps/cli/quantity.hpp"

#include <algorithm>
#include <cstdio>
#include <string>

namespace duomap::apps {

run_report kmeans_report(const kmeans_result& found, std::uint64_t bytes, unsigned workers) {
  run_report report;
  report.task = "kmeans";
  report.sources = 1;
  report.units = bytes;
  report.results = found.sizes.size();
  report.map_seconds = found.report.seconds;
  report.degraded = found.report.degraded;
  for (const iterative_part& part : found.report.parts) {
    const unsigned threads = part.kind == executor_kind::device ? 1 : workers;
    const double seconds = std::min(part.seconds * static_cast<double>(part.steps), found.report.seconds);
    report.executors.push_back({.name = part.name,
                                .workers = threads,
                                .units = static_cast<std::uint64_t>(part.share * static_cast<double>(bytes)),
                                .busy_seconds = seconds * threads,
                                .trouble = part.trouble,
                                .planned_share = part.planned_share,
                                .plan_reason = part.reason,
                                .start_seconds = part.start_seconds,
                                .copy_seconds = part.move_seconds,
                                .seconds_per_unit = part.seconds_per_unit,
                                .kind = part.kind});
  }
  report.notes = found.report.notes;
  char inertia[64];
  std::snprintf(inertia, sizeof inertia, "inertia %.17g", found.inertia);
  report.notes.push_back(std::string(inertia) + " after " + count_text(found.iterations, "iteration") + ", " +
                         (found.converged ? "the centres stand still" : "stopped by --max-iter"));
  const auto empty = static_cast<std::uint64_t>(std::ranges::count(found.sizes, 0u));
  if (empty > 0) report.notes.push_back(count_text(empty, "cluster") + " without points");
  return report;
}

}  // namespace duomap::apps
