// What a run is told of its task and its machine by runs before, and what it leaves there.
#pragma once

#include "core/host_provider.hpp"
#include "core/job_options.hpp"
#include "core/report.hpp"
#include "scheduler/history/executor_set_history.hpp"
#include "scheduler/history/machine_history.hpp"
#include "scheduler/history/task_history.hpp"
#include "scheduler/planner/planner_thresholds.hpp"
#include "scheduler/planner/planning_history.hpp"
#include "scheduler/planner/run_plan.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace duomap::scheduler {

/// Where a run finds profiles, and whether it may change them.
[[nodiscard]] profile_options profile_options_of(const job_options& options);

/// A device as a part of the machine, whatever task runs on it.
[[nodiscard]] identity machine_part_of(const listed_device& device, const host_provider& host);

/// Connects one run with the profiles of its task and its machine. Used by one thread.
///
/// Of a size that the pool alone has done a few times in this process, and quickly, the process's own history
/// says all that the next run needs: its profile is neither looked up nor added to, and making the keys for
/// that, the lists of facts and models took 1.5 microseconds, a twentieth of what the shortest runs take.
class run_history final : public planning_history {
 public:
  /// `task`: profile_name_of(); `workers`: the pool's; `units`: of the input, as far as it is addressable.
  /// The options and the host must outlive it.
  run_history(const job_options& options, const host_provider& host, std::string task, unsigned workers,
              std::uint64_t units);

  [[nodiscard]] std::optional<double> pool_seconds() const override;
  [[nodiscard]] std::optional<stream_forecast> streams() const override;
  [[nodiscard]] start_outlook start(std::uint64_t bytes) const override;
  [[nodiscard]] executor_set_choice executor_set(std::uint64_t bytes) const override;
  void use(std::span<const planned_device> devices) override;
  [[nodiscard]] std::span<const machine_figure> figures_of(const listed_device& device) const override;
  [[nodiscard]] believed_models models(bool pools, bool bytes) override;

  /// Stores what a run that ended well has shown, if it may. `seconds`: all that it took, with what devices
  /// need before and after the scheduler's part.
  void learn(const run_plan& plan, const run_report& report, double seconds);
  /// What a user should know of it, and do about it; empty when there is nothing.
  [[nodiscard]] std::string problem() const;

 private:
  [[nodiscard]] double seconds_of(const executor_model& pool) const;
  [[nodiscard]] bool knows_nothing() const { return options_.profiles.empty() && !options_.learn; }
  [[nodiscard]] bool may_learn() const { return options_.learn; }
  [[nodiscard]] bool is_settled() const;
  [[nodiscard]] bool learns_nothing() const { return is_settled() && devices_.empty(); }
  void believe_what_devices_took(std::span<executor_model> models) const;
  void name_executors(bool pools, bool bytes);
  [[nodiscard]] bool name_unlisted(const run_plan& plan);
  [[nodiscard]] double device_seconds(std::uint64_t bytes) const;
  void learn_worth(const run_plan& plan, const run_report& report, double seconds) const;
  [[nodiscard]] std::vector<executor_report> measured_with_reading(const run_plan& plan,
                                                                   const run_report& report) const;
  void learn_speeds(const run_plan& plan, const run_report& report);
  void learn_executor_set(const run_plan& plan, const run_report& report, double seconds) const;
  [[nodiscard]] task_history& profile();

  const job_options& options_;
  const host_provider& host_;
  unsigned workers_;
  std::uint64_t units_;
  std::string alike_;               // what runs have in common that can be compared
  std::size_t name_size_;           // the task's name is the beginning of that
  std::optional<pools_solo> solo_;  // runs like this one
  identity pool_;                   // with task_
  std::optional<task_history> task_;
  std::optional<executor_model> pool_model_;  // as it was before the run
  std::vector<planned_device> devices_;
  std::optional<machine_history> machine_;
  std::vector<identity> executors_;
  run_devices parts_;  // of the machine
};

}  // namespace duomap::scheduler
