// Decides how many grains an executor takes at once.
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

/// Chooses the size of each claim by the rule of the run. The converging rule divides the rest of the run so
/// that all executors would end together. It knows the speed of each executor, the grains that it has in
/// hand, and its costs to start and to end (water_level.hpp). A worker takes only a part of its executor's
/// share, so that the next claim can correct a wrong estimate. An executor takes nothing if another one could
/// finish the rest before it finishes one grain.
///
/// Threads: workers of a pool call it without a lock. The worker of a device holds the dispatcher's mutex,
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

  /// The size of the next claim of executor `index`, in grains. `left`: the number of grains that the
  /// executor may take, more than 0. No value: it gets none now.
  [[nodiscard]] std::optional<std::uint32_t> next(unsigned index, std::uint32_t left, double now);

  /// The largest chunk of pool `index`, in grains. A larger claim is divided.
  [[nodiscard]] std::uint32_t chunk_of_pool(unsigned index) const noexcept;

 private:
  [[nodiscard]] std::optional<std::uint32_t> converging(unsigned index, std::uint32_t left, double now);
  // The size of a device's claim, if there are other executors.
  [[nodiscard]] std::optional<std::uint32_t> of_device(executor_state& one, const finish_estimate& seen,
                                                       std::uint32_t left, double now);
  // The size of a device's next claim from its `share` of the grains. The chunk size suits a total of `of`
  // grains and a cost of `claim_seconds` per chunk. A device that works solo gets chunks of one size, for its
  // whole interval. Beside others, its chunks shrink with the rest, so that all executors end together.
  [[nodiscard]] std::uint32_t device_part(const executor_state& one, double share, double of,
                                          double claim_seconds) const noexcept;
  [[nodiscard]] std::uint32_t pool_part(const executor_state& one, double share, double level) const noexcept;
  // The size of a claim of the calling thread, if it works alone for a pool. The first claim is one grain, to
  // measure the speed. A later claim takes half of the time that the calling thread may still work alone.
  [[nodiscard]] std::uint32_t caller_part(const executor_state& one, double now) const noexcept;

  const executor_table& all_;
  const grain_queue& queue_;
  const finish_estimator& estimates_;
  const solo_warm_up& warm_up_;
  const contention_control& contention_;
  const dispatch_options& how_;
};

}  // namespace duomap::scheduler
