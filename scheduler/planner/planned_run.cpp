// Holds the history, the plan and the options of one run.
#include "scheduler/planner/planned_run.hpp"

#include "core/add_note.hpp"
#include "scheduler/dispatch/execute.hpp"
#include "scheduler/planner/plan_run.hpp"
#include "scheduler/planner/run_history.hpp"
#include "scheduler/thresholds/planner_thresholds.hpp"

#include <algorithm>
#include <utility>

namespace duomap::scheduler {

namespace {

execute_options options_of(const run_plan& plan, const run_outlook& outlook, const run_options& options) {
  execute_options how{.share = options.share,
                      .idle = plan.idle,
                      .reserved = plan.reserved,
                      .hold_back_seconds = plan.hold_back_seconds,
                      .solo_warm_up = plan.solo_warm_up,
                      .start_after_seconds = plan.start_after_seconds,
                      .strict = options.strict,
                      .readers = outlook.workers,
                      .timeline = options.timeline};
  // A small input gets ordinary memory, because page-locking a block takes a millisecond, once in a process.
  if (!plan.pools && !plan.devices.empty() && outlook.stream_bytes >= measured_thresholds.warm_bytes) {
    const planned_device& first = plan.devices.front();
    how.memory = first.from->memory_for_blocks(first.device.is->index);
  }
  if (plan.models.pool) how.models.push_back(*plan.models.pool);
  how.models.insert(how.models.end(), plan.models.devices.begin(), plan.models.devices.end());
  return how;
}

}  // namespace

struct planned_run::parts {
  std::vector<device_offer> offers;
  run_history history;
  run_plan plan;
  execute_options how;
};

planned_run::planned_run(std::string name, const task_traits& task, const run_outlook& outlook,
                         const available_machine& machine, const run_options& options)
  : parts_(new parts{
        .offers = {machine.devices.begin(), machine.devices.end()},
        .history = {options, machine.host, std::move(name), outlook.workers, outlook.addressable_units},
        .plan = {},
        .how = {}}) {
  parts_->plan = plan_run(task, outlook, machine, parts_->history, options);
  parts_->how = options_of(parts_->plan, outlook, options);
}

// The process may end after the run, even if the run failed.
planned_run::~planned_run() {
  if (!parts_->plan.begins_start) return;
  for (const device_offer& one : parts_->offers) {
    if (one.has_code) one.from->leave_background();
  }
}

bool planned_run::pools() const noexcept { return parts_->plan.pools; }

bool planned_run::repeats_without_devices() const noexcept { return parts_->plan.repeats_without_devices; }

std::span<const planned_device> planned_run::devices() const noexcept { return parts_->plan.devices; }

const std::vector<std::string>& planned_run::notes() const noexcept { return parts_->plan.notes; }

const std::optional<device_account>& planned_run::account() const noexcept { return parts_->plan.account; }

const execute_options& planned_run::how() const noexcept { return parts_->how; }

void planned_run::drop_unlisted_devices(run_report& report) const {
  if (!parts_->plan.unlisted) return;
  const auto left_out = std::erase_if(report.executors, [](const executor_report& one) {
    return one.kind == executor_kind::device && one.chunks == 0 && one.trouble.empty();
  });
  if (left_out == 0) return;
  const bool any_used = std::any_of(report.executors.begin(), report.executors.end(),
                                    [](const auto& one) { return one.kind == executor_kind::device; });
  if (any_used) return;
  const device_provider& from = *parts_->plan.devices.front().from;
  const bool none = from.unlisted().empty() && from.list().devices.empty();
  if (none && parts_->plan.demanded) throw no_device_for(from.list().reason);
  report.notes.push_back(none                        ? "no GPU used: " + from.list().reason
                         : from.start_seconds_left() ? std::string(over_before_started)
                                                     : parts_->plan.note_if_unlisted);
}

void planned_run::learn(run_report& report, double seconds) {
  parts_->history.learn(parts_->plan, report, seconds);
  add_note(report.notes, parts_->history.problem());
}

}  // namespace duomap::scheduler
