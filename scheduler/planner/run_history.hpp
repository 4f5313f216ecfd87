// Gives a run what earlier runs have shown, and keeps what this run shows for later runs.
#pragma once

#include "core/host_provider.hpp"
#include "core/report.hpp"
#include "core/run_options.hpp"
#include "scheduler/history/executor_set_history.hpp"
#include "scheduler/history/machine_history.hpp"
#include "scheduler/history/task_history.hpp"
#include "scheduler/planner/planning_history.hpp"
#include "scheduler/planner/run_plan.hpp"
#include "scheduler/thresholds/planner_thresholds.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace duomap::scheduler {

/// The folder of a run's profiles, and whether the run may change them.
[[nodiscard]] profile_options profile_options_of(const run_options& options);

/// Identifies a device as a part of the machine, independent of the task.
[[nodiscard]] identity machine_part_of(const listed_device& device, const host_provider& host);

/// Connects one run with the profiles of its task and its machine. Only one thread uses the object.
///
/// If the pool alone has done a few quick runs of this size, the history in this process is enough. Then the
/// run neither reads nor changes its profile. Making the keys, the lists of facts and the models took 1.5
/// microseconds, a twentieth of the shortest runs.
class run_history final : public planning_history {
 public:
  /// `task`: profile_name_of(). `workers`: the number of the pool's workers. `units`: the size of the
  /// addressable input. The options and the host must outlive the object.
  run_history(const run_options& options, const host_provider& host, std::string task, unsigned workers,
              std::uint64_t units);

  [[nodiscard]] std::optional<double> pool_seconds() const override;
  [[nodiscard]] std::optional<stream_forecast> streams() const override;
  [[nodiscard]] start_outlook start(std::uint64_t bytes) const override;
  [[nodiscard]] executor_set_choice executor_set(std::uint64_t bytes) const override;
  void use(std::span<const planned_device> devices) override;
  [[nodiscard]] std::span<const machine_figure> figures_of(const listed_device& device) const override;
  [[nodiscard]] believed_models models(bool pools, bool bytes) override;

  /// Stores what a successful run has shown, if the options allow it. `seconds`: the time of the whole run,
  /// including the devices' needs before and after the scheduler's part.
  void learn(const run_plan& plan, const run_report& report, double seconds);
  /// A problem that the user should know, with its remedy; empty if there is none.
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

  const run_options& options_;
  const host_provider& host_;
  unsigned workers_;
  std::uint64_t units_;
  std::string run_key_;             // the text that comparable runs share
  std::size_t name_size_;           // the length of the task's name, with which run_key_ begins
  std::optional<pools_solo> solo_;  // of runs like this one
  identity pool_;                   // set together with task_
  std::optional<task_history> task_;
  std::optional<executor_model> pool_model_;  // as it was before the run
  std::vector<planned_device> devices_;
  std::optional<machine_history> machine_;
  std::vector<identity> executors_;
  run_devices parts_;  // the devices as parts of the machine
};

}  // namespace duomap::scheduler
