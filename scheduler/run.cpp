#include "scheduler/run.hpp"

#include "core/add_note.hpp"
#include "scheduler/dispatch/chunk_source.hpp"
#include "scheduler/dispatch/execute.hpp"

#include <algorithm>
#include <string>

namespace duomap::scheduler {

void map_input(const input& from, const boundary& records, std::span<executor* const> executors,
               std::shared_ptr<void> keeps_alive, run_control* control, run_report& report,
               const execute_options* how) {
  const auto start = std::chrono::steady_clock::now();
  execute_options options;
  if (how != nullptr) options = *how;
  options.keeps_alive = std::move(keeps_alive);
  const bool pools = std::any_of(executors.begin(), executors.end(),
                                 [](const executor* one) { return !one->traits().is_device(); });
  chunk_source all(from, records,
                   pools ? chunk_source_options{} : options_for_devices(options.readers, options.memory),
                   control);
  execution done = execute(all, executors, control, std::move(options));
  report.executors = std::move(done.executors);
  report.planned_seconds = done.planned_seconds;
  report.timeline = std::move(done.timeline);
  if (done.events_dropped > 0)
    report.notes.push_back("the timeline lacks " + std::to_string(done.events_dropped) +
                           " events at its end, for which it had no room");
  for (std::size_t i = 0; i < from.size(); ++i) add_note(report.notes, from[i].change());
  report.map_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  for (const executor_report& one : report.executors) {
    report.degraded = report.degraded || !one.trouble.empty();
    if (!one.trouble.empty()) report.notes.push_back(one.trouble);
  }
  for (std::size_t i = 0; i < executors.size(); ++i) {
    for (std::string& note : executors[i]->notes()) report.notes.push_back(std::move(note));
    report.executors[i].engine = executors[i]->figures();
  }
  report.sources = from.size();
  for (const executor_report& executor : report.executors) report.units += executor.units;
}

}  // namespace duomap::scheduler
