// The interface through which the planner asks about earlier runs.
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

  /// The believed time of the pool alone. No value: it is not known.
  [[nodiscard]] virtual std::optional<double> pool_seconds() const = 0;

  /// The believed times for an input of streams only. No value: they are not known.
  [[nodiscard]] virtual std::optional<stream_forecast> streams() const = 0;

  /// The gain and the cost of starting devices. `bytes`: the bytes that a link would bring to the devices; 0
  /// if units are no bytes.
  [[nodiscard]] virtual start_outlook start(std::uint64_t bytes) const = 0;

  /// The best executors for a run to which started devices are offered. `bytes`: as in start().
  [[nodiscard]] virtual executor_set_choice executor_set(std::uint64_t bytes) const = 0;

  /// Sets the devices of the run. To be called once, before the methods below.
  virtual void use(std::span<const planned_device> devices) = 0;

  /// The machine's figures about a device in use. They are valid as long as this object.
  [[nodiscard]] virtual std::span<const machine_figure> figures_of(const listed_device& device) const = 0;

  /// The believed models of the pool, if it takes part, and of the devices in use. `bytes`: whether units are
  /// bytes that a link brings to the devices.
  [[nodiscard]] virtual believed_models models(bool pools, bool bytes) = 0;
};

}  // namespace duomap::scheduler
