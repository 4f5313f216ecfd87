// Adds up the work and the times of runs, executor by executor.
#include "joined_report.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace duomap::python {
namespace {

void join_executor(executor_report& all, executor_report more) {
  more.chunks += all.chunks;
  more.units += all.units;
  more.busy_seconds += all.busy_seconds;
  more.wait_seconds += all.wait_seconds;
  more.start_seconds += all.start_seconds;
  more.workers = std::max(more.workers, all.workers);
  if (all.chunks > 0) more.reason.clear();
  all = std::move(more);
}

}  // namespace

void join_report(run_report& all, run_report more) {
  const double before = all.map_seconds + all.merge_seconds;
  all.sources += more.sources;
  all.units += more.units;
  all.results = more.results;
  all.map_seconds += more.map_seconds;
  all.merge_seconds += more.merge_seconds;
  all.degraded = all.degraded || more.degraded;
  all.account = more.account;
  for (executor_report& one : more.executors) {
    const auto same = std::ranges::find(all.executors, one.name, &executor_report::name);
    same == all.executors.end() ? all.executors.push_back(std::move(one))
                                : join_executor(*same, std::move(one));
  }
  for (timeline_event& one : more.timeline) {
    one.begin += before;
    one.end += before;
    all.timeline.push_back(std::move(one));
  }
  for (std::string& note : more.notes)
    if (std::ranges::find(all.notes, note) == all.notes.end()) all.notes.push_back(std::move(note));
}

}  // namespace duomap::python
