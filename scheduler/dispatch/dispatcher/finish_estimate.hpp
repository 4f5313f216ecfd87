// When what is left of a run would be done, by one executor and by all.
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

/// What an executor can know of the others, and of itself. Seconds are from now.
struct finish_estimate {
  /// The executors that could take part in what is left.
  std::array<executor_forecast, most_executors> others{};
  std::size_t count = 0;
  executor_forecast own;     ///< if nothing is known of its rate: as fast as all others together
  double level = 0;          ///< all of it is done, by all together
  double level_without = 0;  ///< by the others
  /// What is left done by one alone, the soonest of the others and oneself; infinite when unknown.
  double soonest = std::numeric_limits<double>::infinity();
  std::optional<unsigned> soonest_index;
  double own_solo = std::numeric_limits<double>::infinity();
  double own_first = 0;  ///< one grain done by a worker that asks now
  bool others_known = false;
  bool others_at_work = false;
  bool own_known = false;
};

/// Makes such estimates of the executors as they are. It changes nothing and remembers nothing.
///
/// Threads: any, without a lock. What it reads may change meanwhile: an estimate is advice.
class finish_estimator {
 public:
  finish_estimator(const executor_table& all, const contention_search& co_run) : all_(all), co_run_(co_run) {}

  /// As executor `index` sees it, with `left` grains left.
  [[nodiscard]] finish_estimate of(unsigned index, std::uint32_t left, double now) const;

  /// How many of its workers a pool is to have beside devices.
  [[nodiscard]] unsigned workers_in_co_run(const executor_state& pool, double now) const noexcept;

 private:
  struct prospect {
    unsigned workers = 1;
    double per_grain = 0;  // of all those workers together; 0: not known
    double one_grain = 0;  // done by one of them
    double ready = 0;      // see executor_forecast
    double first = 0;      // one grain is done
    double solo = 0;       // all that is left is
  };
  [[nodiscard]] prospect of_one(const executor_state& one, unsigned workers, std::uint32_t left,
                                bool devices_at_work, double now) const noexcept;

  const executor_table& all_;
  const contention_search& co_run_;
};

}  // namespace duomap::scheduler
