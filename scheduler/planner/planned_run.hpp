// Plans a run, and learns from it when it has ended.
#pragma once

#include "core/report.hpp"
#include "core/run_options.hpp"
#include "scheduler/planner/run_outlook.hpp"
#include "scheduler/planner/task_traits.hpp"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace duomap::scheduler {

struct execute_options;

/// The decisions of plan_run() (plan_run.cpp), from the history of earlier runs (run_history.hpp). Only one
/// thread uses the object.
class planned_run {
 public:
  /// `name`: profile_name_of(); `outlook`: outlook_for(). The options and the host must outlive it.
  /// @throws device_unavailable with the reason when the options demand a device that cannot be had
  planned_run(std::string name, const task_traits& task, const run_outlook& outlook,
              const available_machine& machine, const run_options& options);
  ~planned_run();
  planned_run(const planned_run&) = delete;
  planned_run& operator=(const planned_run&) = delete;

  /// Whether the pool takes part.
  [[nodiscard]] bool pools() const noexcept;
  /// Whether the planner chose devices alone, and the pool can do the whole run again if the devices fail.
  [[nodiscard]] bool repeats_without_devices() const noexcept;
  /// The devices, in the order of the offers.
  [[nodiscard]] std::span<const planned_device> devices() const noexcept;
  /// Why devices or the pool are left out. Each reason is a sentence.
  [[nodiscard]] const std::vector<std::string>& notes() const noexcept;
  /// What the run knows about the cost and the gain of devices (run_report::account).
  [[nodiscard]] const std::optional<device_account>& account() const noexcept;
  /// The options of execute(). The executors are the pool, if it takes part, and then the devices. The
  /// options live as long as this object.
  [[nodiscard]] const execute_options& how() const noexcept;

  /// Removes devices that the run never listed from its report, and adds a note. Called after learn().
  /// @throws device_unavailable when the options demand a device and it has turned out that there is none
  void drop_unlisted_devices(run_report& report) const;

  /// Remembers a successful run, if the options allow it. `seconds`: the time from before this object was
  /// made until the backends are gone, because all needs of a device are costs of the run. If storing fails,
  /// a note is added.
  void learn(run_report& report, double seconds);

 private:
  struct parts;
  std::unique_ptr<parts> parts_;
};

}  // namespace duomap::scheduler
