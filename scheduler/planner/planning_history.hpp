// The interface for the planner's questions about earlier runs.
#pragma once

#include "core/device_provider.hpp"
#include "core/machine_figures.hpp"
#include "scheduler/history/executor_set_history.hpp"
#include "scheduler/history/start_account.hpp"
#include "scheduler/planner/believed_models.hpp"
#include "scheduler/planner/device_plan.hpp"
#include "scheduler/planner/run_outlook.hpp"

#include <cstdint>
#include <optional>
#include <span>

namespace duomap::scheduler {

class planning_history {
 public:
  virtual ~planning_history() = default;

  /// The believed time of the pool alone; nothing when it is not known.
  [[nodiscard]] virtual std::optional<double> pool_seconds() const = 0;

  /// The believed times of an input of streams alone; nothing when they are not known.
  [[nodiscard]] virtual std::optional<stream_forecast> streams() const = 0;

  /// The gain and the cost of starting devices, for a run in which a link brings `bytes` to the devices; 0
  /// for other units.
  [[nodiscard]] virtual start_outlook start(std::uint64_t bytes) const = 0;

  /// The executors of a run to which started devices are offered. `bytes`: as in start().
  [[nodiscard]] virtual executor_set_choice executor_set(std::uint64_t bytes) const = 0;

  /// Sets the devices of the run. Called once, before the methods below.
  virtual void use(std::span<const planned_device> devices) = 0;

  /// The machine's figures of a device in use; valid as long as this.
  [[nodiscard]] virtual std::span<const machine_figure> figures_of(const listed_device& device) const = 0;

  /// The believed models of the pool, if it takes part, and of the devices in use. `bytes`: the devices'
  /// units are bytes that a link brings.
  [[nodiscard]] virtual believed_models models(bool pools, bool bytes) = 0;
};

}  // namespace duomap::scheduler
