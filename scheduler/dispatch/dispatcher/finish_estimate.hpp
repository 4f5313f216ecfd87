// Estimates when one executor, or all together, would end the rest of a run.
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

/// An executor's view of the others and of itself. Seconds are from now.
struct finish_estimate {
  /// The forecasts of the other executors that may take part in the rest.
  std::array<executor_forecast, most_executors> others{};
  std::size_t count = 0;
  executor_forecast own;     ///< if its rate is not known: as fast as all others together
  double level = 0;          ///< when all executors together end the rest
  double level_without = 0;  ///< when the others together end it
  /// The end of the rest if one executor did it alone, the fastest of the others or this one; infinite when
  /// unknown.
  double soonest = std::numeric_limits<double>::infinity();
  std::optional<unsigned> soonest_index;
  double own_solo = std::numeric_limits<double>::infinity();
  double own_first = 0;  ///< when a worker that asks now would end one grain
  bool others_known = false;
  bool others_at_work = false;
  bool own_known = false;
};

/// Makes estimates from the state of the executors. It changes nothing and remembers nothing.
///
/// Threads: any, without a lock. The state may change meanwhile: an estimate is advice.
class finish_estimator {
 public:
  finish_estimator(const executor_table& all, const contention_search& co_run) : all_(all), co_run_(co_run) {}

  /// The estimate of executor `index`, with `left` grains left.
  [[nodiscard]] finish_estimate of(unsigned index, std::uint32_t left, double now) const;

  /// The number of a pool's workers that take part beside devices.
  [[nodiscard]] unsigned workers_in_co_run(const executor_state& pool, double now) const noexcept;

 private:
  struct prospect {
    unsigned workers = 1;
    double per_grain = 0;  // of `workers` together; 0: not known
    double one_grain = 0;  // of one worker
    double ready = 0;      // see executor_forecast
    double first = 0;      // when one grain is done
    double solo = 0;       // when the rest is done
  };
  [[nodiscard]] prospect of_one(const executor_state& one, unsigned workers, std::uint32_t left,
                                bool devices_at_work, double now) const noexcept;

  const executor_table& all_;
  const contention_search& co_run_;
};

}  // namespace duomap::scheduler
