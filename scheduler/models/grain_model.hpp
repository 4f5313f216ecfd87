// The believed speed of an executor on one input, per grain.
#pragma once

#include "scheduler/models/executor_model.hpp"

#include <optional>

namespace duomap::scheduler {

/// An executor_model per grain instead of per unit. Each field has the same meaning.
struct grain_model {
  double seconds_per_grain = 0;
  double claim_seconds = 0;
  double start_seconds = 0;
  double end_seconds = 0;
  double solo_seconds_per_grain = 0;
  std::optional<double> co_run_share = std::nullopt;
  double least_seconds_per_grain = 0;
  bool trusted = true;

  [[nodiscard]] constexpr bool known() const noexcept { return seconds_per_grain > 0; }
};

/// `units_per_grain`: the average number of units in a grain of the input.
[[nodiscard]] constexpr grain_model per_grain(const executor_model& model, double units_per_grain) {
  return {.seconds_per_grain = model.seconds_per_unit * units_per_grain,
          .claim_seconds = model.claim_seconds,
          .start_seconds = model.start_seconds,
          .end_seconds = model.end_seconds,
          .solo_seconds_per_grain = model.solo_seconds_per_unit * units_per_grain,
          .co_run_share = model.co_run_share,
          .least_seconds_per_grain = model.least_seconds_per_unit * units_per_grain,
          .trusted = model.trusted};
}

}  // namespace duomap::scheduler
