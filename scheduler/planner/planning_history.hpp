// What the planner asks of runs before.
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

  /// What the pool alone is believed to take; nothing when it is not known.
  [[nodiscard]] virtual std::optional<double> pool_seconds() const = 0;

  /// What an input of streams alone is believed to take; nothing when it is not known.
  [[nodiscard]] virtual std::optional<stream_forecast> streams() const = 0;

  /// What starting a device would bring, for a run of which devices could do `bytes` that have to be brought
  /// to them, or other units when 0.
  [[nodiscard]] virtual start_outlook start(std::uint64_t bytes) const = 0;

  /// Which executors take part when devices are offered that have been started before. `bytes`: as in
  /// start().
  [[nodiscard]] virtual executor_set_choice executor_set(std::uint64_t bytes) const = 0;

  /// The devices of the run. Asked once, before what follows.
  virtual void use(std::span<const planned_device> devices) = 0;

  /// What was measured of a device that is used; valid as long as this.
  [[nodiscard]] virtual std::span<const machine_figure> figures_of(const listed_device& device) const = 0;

  /// What is believed of the pool, if it takes part, and of the devices that are used. `bytes`: what devices
  /// are given are bytes that have to be brought to them.
  [[nodiscard]] virtual believed_models models(bool pools, bool bytes) = 0;
};

}  // namespace duomap::scheduler
