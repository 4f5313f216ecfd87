// Runs the map phase and fills in its report.
#include "core/add_note.hpp"
#include "core/executor.hpp"
#include "scheduler/dispatch/chunk_source.hpp"
#include "scheduler/dispatch/execute.hpp"
#include "scheduler/run.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <utility>

namespace duomap::scheduler {

bool map_input(const input& from, const boundary& records, std::span<executor* const> executors,
               std::shared_ptr<void> keeps_alive, run_control* control, run_report& report,
               const execute_options* how) {
  const auto start = std::chrono::steady_clock::now();
  execute_options options;
  if (how != nullptr) options = *how;
  options.keeps_alive = std::move(keeps_alive);
  const auto pool =
      std::ranges::find_if(executors, [](const executor* one) { return !one->traits().is_device(); });
  const bool small = is_small(from);
  // The speed of a small input's records is not known. So the calling thread works alone for as long as
  // waking the other threads would take, and then wakes them. Such a run takes at most twice as long as the
  // better of two choices: waking the threads at once, or never.
  if (small && executors.size() == 1 && pool != executors.end() && (*pool)->traits().maps_records)
    options.caller_seconds = (*pool)->traits().wake_seconds;
  chunk_source all(from, records,
                   pool != executors.end()
                       ? options_for_pool((*pool)->workers(), (*pool)->traits().maps_records, small)
                       : options_for_devices(options.readers, options.memory),
                   control);
  execution done = all.name_stops_of([&] { return execute(all, executors, control, std::move(options)); });
  report.executors = std::move(done.executors);
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
  return !small || done.woke_pool;
}

}  // namespace duomap::scheduler
