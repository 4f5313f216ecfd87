// Estimates when one executor, or all executors together, would end the rest of a run.
#pragma once

#include "scheduler/dispatch/dispatcher/contention_search.hpp"
#include "scheduler/dispatch/dispatcher/executor_state.hpp"
#include "scheduler/models/water_level.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

namespace duomap::scheduler {

/// How one executor sees the others and itself. Times are seconds from now.
struct finish_estimate {
  /// The forecasts of the other executors that may take part in the rest.
  std::array<executor_forecast, most_executors> others{};
  std::size_t count = 0;
  executor_forecast own;       ///< this executor; if its rate is not known: as fast as all others together
  double level = 0;            ///< the time when all executors together end the rest
  double level_of_others = 0;  ///< the time when the others together end the rest
  /// The time when the fastest of the other executors would end the rest alone. Infinite: not known.
  double soonest = std::numeric_limits<double>::infinity();
  std::optional<unsigned> soonest_index;
  /// The time when this executor would end the rest alone. Infinite: not known.
  double own_alone_seconds = std::numeric_limits<double>::infinity();
  double own_first = 0;  ///< the time when a worker that asks now would end one grain
  bool others_known = false;
  bool others_at_work = false;
  bool own_known = false;
};

/// Makes estimates from the state of the executors, without changing or remembering anything.
///
/// Threads: any, without a lock. The state may change meanwhile, because an estimate is only advice.
class finish_estimator {
 public:
  finish_estimator(const executor_table& all, const contention_search& co_run) : all_(all), co_run_(co_run) {}

  /// The estimate for executor `index`, if `left` grains are left.
  [[nodiscard]] finish_estimate of(unsigned index, std::uint32_t left, double now) const;

  /// The number of a pool's workers that work beside devices.
  [[nodiscard]] unsigned workers_in_co_run(const executor_state& pool, double now) const noexcept;

 private:
  struct prospect {
    unsigned workers = 1;
    double per_grain = 0;  // seconds of `workers` together; 0: not known
    double one_grain = 0;  // seconds of one worker
    double ready = 0;      // executor_forecast::ready_seconds
    double first = 0;      // the time when one grain is done
    double solo = 0;       // the time when the rest is done
  };
  [[nodiscard]] prospect of_one(const executor_state& one, unsigned workers, std::uint32_t left,
                                bool devices_at_work, double now) const noexcept;

  const executor_table& all_;
  const contention_search& co_run_;
};

}  // namespace duomap::scheduler
