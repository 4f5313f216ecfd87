#include "scheduler/planner/planned_run.hpp"

#include "scheduler/planner/plan_run.hpp"
#include "scheduler/planner/run_history.hpp"

#include <utility>

namespace duomap::scheduler {

struct planned_run::parts {
  const job_options& options;
  std::vector<device_offer> offers;
  run_history history;
  run_plan plan;
};

planned_run::planned_run(std::string name, const task_traits& task, const run_outlook& outlook,
                         const available_machine& machine, const job_options& options)
  : parts_(new parts{
        .options = options,
        .offers = {machine.devices.begin(), machine.devices.end()},
        .history = {options, machine.host, std::move(name), outlook.workers, outlook.addressable_units},
        .plan = {}}) {
  parts_->plan = plan_run(task, outlook, machine, parts_->history, options);
}

// However the run ended: the process may end next.
planned_run::~planned_run() {
  for (const device_offer& one : parts_->offers) {
    if (one.has_code) one.from->leave_background();
  }
}

bool planned_run::pools() const noexcept { return parts_->plan.pools; }

std::span<const planned_device> planned_run::devices() const noexcept { return parts_->plan.devices; }

std::shared_ptr<collect_budget> planned_run::make_collect_budget() const {
  const auto& limit = parts_->plan.collects;
  return limit ? std::make_shared<collect_budget>(limit->bytes, limit->copies) : nullptr;
}

const std::vector<std::string>& planned_run::notes() const noexcept { return parts_->plan.notes; }

const std::optional<device_account>& planned_run::account() const noexcept { return parts_->plan.account; }

execute_options planned_run::how() const {
  const run_plan& plan = parts_->plan;
  execute_options how{.split = parts_->options.split,
                      .idle = plan.idle,
                      .stand_by_seconds = plan.stand_by_seconds,
                      .first_look = plan.first_look,
                      .strict = parts_->options.strict,
                      .timeline = parts_->options.timeline};
  if (plan.models.pool) how.models.push_back(*plan.models.pool);
  how.models.insert(how.models.end(), plan.models.devices.begin(), plan.models.devices.end());
  return how;
}

void planned_run::leave_out_unasked(run_report& report) const {
  if (!parts_->plan.unlisted) return;
  const auto left_out = std::erase_if(report.executors, [](const executor_report& one) {
    return one.kind == executor_kind::device && one.chunks == 0 && one.trouble.empty();
  });
  if (left_out > 0) report.notes.push_back(parts_->plan.if_unasked);
}

void planned_run::learn(const run_report& report, double seconds) {
  parts_->history.learn(parts_->plan, report, seconds);
}

}  // namespace duomap::scheduler
