// Turns the result of k-means into a run's report.
#include "numeric/kmeans/kmeans_report.hpp"

#include "apps/report/quantity.hpp"
#include "scheduler/report/steps_report.hpp"

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
  scheduler::add_steps(found.report, bytes, workers, report);
  char inertia[64];
  std::snprintf(inertia, sizeof inertia, "inertia %.17g", found.inertia);
  report.notes.push_back(std::string(inertia) + " after " + count_text(found.iterations, "iteration") + ", " +
                         (found.converged ? "the centres stand still" : "stopped by --max-iter"));
  const auto empty = static_cast<std::uint64_t>(std::ranges::count(found.sizes, 0u));
  if (empty > 0) report.notes.push_back(count_text(empty, "cluster") + " without points");
  return report;
}

}  // namespace duomap::apps
