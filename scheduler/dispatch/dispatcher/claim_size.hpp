// How many grains an executor takes at once.
#pragma once

#include "scheduler/dispatch/dispatcher/contention_control.hpp"
#include "scheduler/dispatch/dispatcher/dispatch_options.hpp"
#include "scheduler/dispatch/dispatcher/executor_state.hpp"
#include "scheduler/dispatch/dispatcher/finish_estimate.hpp"
#include "scheduler/dispatch/dispatcher/grain_queue.hpp"
#include "scheduler/dispatch/dispatcher/solo_warm_up.hpp"

#include <cstdint>
#include <optional>

namespace duomap::scheduler {

/// Sizes claims by the rule of the run. The converging rule fills up what is left to a common level, given
/// how fast each executor is, what each has in hand, and what it costs to start and to end (water_level.hpp).
/// A worker takes a part of its executor's share, so that a wrong estimate can be corrected with the next
/// claim. An executor that could not even finish one grain before another would have finished all of them
/// takes none.
///
/// Threads: workers of a pool without a lock; the worker of a device with the dispatcher's mutex held,
/// because a claim may be the next step of the device's ramp.
class claim_sizes {
 public:
  claim_sizes(const executor_table& all, const grain_queue& queue, const finish_estimator& estimates,
              const solo_warm_up& warm_up, const contention_control& contention, const dispatch_options& how)
    : all_(all),
      queue_(queue),
      estimates_(estimates),
      warm_up_(warm_up),
      contention_(contention),
      how_(how) {}

  /// Grains of the next claim of executor `index`, for which `left` are left, more than 0; nothing: none now.
  [[nodiscard]] std::optional<std::uint32_t> next(unsigned index, std::uint32_t left, double now);

  /// Grains of a chunk of pool `index` at most, where its claims are larger.
  [[nodiscard]] std::uint32_t chunk_of_pool(unsigned index) const noexcept;

 private:
  [[nodiscard]] std::optional<std::uint32_t> converging(unsigned index, std::uint32_t left, double now);
  // A device beside others.
  [[nodiscard]] std::optional<std::uint32_t> of_device(executor_state& one, const finish_estimate& seen,
                                                       std::uint32_t left, double now);
  // Of a share in grains: in chunks as for `of` grains, if each costs so much. A device that works solo has
  // chunks of one size, those for all that it does. Beside others its chunks shrink with what is left, so
  // that all end at the same time.
  [[nodiscard]] std::uint32_t device_part(const executor_state& one, double share, double of,
                                          double claim_seconds) const noexcept;
  [[nodiscard]] std::uint32_t pool_part(const executor_state& one, double share, double level) const noexcept;
  // While the caller works alone for a pool: one grain to see what it takes, then as many as take half of its
  // time.
  [[nodiscard]] std::uint32_t caller_part(const executor_state& one, double now) const noexcept;
  [[nodiscard]] std::uint32_t guided(const executor_state& one, std::uint32_t left) const noexcept;

  const executor_table& all_;
  const grain_queue& queue_;
  const finish_estimator& estimates_;
  const solo_warm_up& warm_up_;
  const contention_control& contention_;
  const dispatch_options& how_;
};

}  // namespace duomap::scheduler
