// A run that has been planned, and what it teaches when it has ended.
// host only
#pragma once

#include "core/collect_budget.hpp"
#include "core/job_options.hpp"
#include "core/report.hpp"
#include "scheduler/planner/run_outlook.hpp"
#include "scheduler/planner/task_traits.hpp"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace duomap::scheduler {

struct execute_options;

/// What plan_run() decides (plan_run.cpp), by what earlier runs taught (run_history.hpp). Used by one thread.
class planned_run {
 public:
  /// `name`: profile_name_of(); `outlook`: outlook_for(). The options and the host must outlive it.
  /// @throws device_unavailable with the reason when the options demand a device that cannot be had
  planned_run(std::string name, const task_traits& task, const run_outlook& outlook,
              const available_machine& machine, const job_options& options);
  ~planned_run();
  planned_run(const planned_run&) = delete;
  planned_run& operator=(const planned_run&) = delete;

  /// Whether the pool takes part.
  [[nodiscard]] bool pools() const noexcept;
  /// Devices do it all by the planner's choice, and if they fail the pool can do it from the beginning.
  [[nodiscard]] bool repeats_without_devices() const noexcept;
  /// In the order of the offers.
  [[nodiscard]] std::span<const planned_device> devices() const noexcept;
  /// What a task that collects may keep in memory; null for others.
  [[nodiscard]] std::shared_ptr<collect_budget> make_collect_budget() const;
  /// Why devices, or the pool, are left out; each a sentence.
  [[nodiscard]] const std::vector<std::string>& notes() const noexcept;
  /// run_report::account.
  [[nodiscard]] const std::optional<device_account>& account() const noexcept;
  /// For executors in this order: the pool, if it takes part, and the devices. Lives as long as this.
  [[nodiscard]] const execute_options& how() const noexcept;

  /// Takes devices out of the report of a run that was over before it had asked for them, and says so. After
  /// learn().
  /// @throws device_unavailable when the options demand a device and it has turned out that there is none
  void leave_out_unasked(run_report& report) const;

  /// Remembers what a run that ended well has shown, if the options let it. `seconds`: all that it took, from
  /// before this was made until what drives the devices is gone, because a device is worth what a run takes
  /// with all that the device needs. Notes what kept it from being stored.
  void learn(run_report& report, double seconds);

 private:
  struct parts;
  std::unique_ptr<parts> parts_;
};

}  // namespace duomap::scheduler
