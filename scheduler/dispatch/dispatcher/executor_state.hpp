// The state of an executor in a run, as the other executors see it.
#pragma once

#include "core/config.hpp"
#include "scheduler/dispatch/dispatcher/calibration_ramp.hpp"
#include "scheduler/dispatch/dispatcher/executor_config.hpp"
#include "scheduler/dispatch/dispatcher/executor_rate.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

namespace duomap::scheduler {

/// Pools are ready from the beginning. A device is cold until it starts. It has declined if its start does
/// not pay for now. A device that is out of memory gets no more grains, but may commit. A device has failed
/// if it failed or timed out.
enum class executor_stage { cold, declined, starting, ready, out_of_memory, failed };

/// The progress and the speed of one executor.
///
/// Threads: unless a field says otherwise, the executor's own workers write it, and any thread reads it
/// without a lock. All fields are relaxed atomics, because they are only advice for the decisions of others
/// and publish no other data. `at` of a device becomes `out_of_memory` or `failed` only with the dispatcher's
/// mutex held. A method that must be sure of `at` reads it again under that mutex.
struct executor_state {
  explicit executor_state(const executor_config& one);

  /// Whether the executor may still get grains.
  [[nodiscard]] bool takes_part() const noexcept;
  [[nodiscard]] bool has_failed() const noexcept {
    return at.load(std::memory_order_relaxed) == executor_stage::failed;
  }
  /// Whether this is a device that takes part or may be started, and has not declined.
  [[nodiscard]] bool is_expected() const noexcept;
  /// Whether this is a device that is not started.
  [[nodiscard]] bool is_expected_later() const noexcept;
  /// Whether this is a device that needs no long start and is about to get its first grains.
  [[nodiscard]] bool begins(double now) const noexcept;
  /// Whether this is a device that has grains in hand and does not seem to hang.
  [[nodiscard]] bool at_work(double now) const noexcept;

  /// Tells that a device had no memory for `refused` grains. Its claims become smaller, then it holds fewer
  /// claims at a time. False: the device held no other grains (`solo`), so it cannot work with fewer, and
  /// gets no more. Called with the dispatcher's mutex held.
  [[nodiscard]] bool take_less(std::uint32_t refused, bool solo) noexcept;

  const executor_config is;
  executor_rate rate;
  alignas(cache_separation) std::atomic<std::uint32_t> open{0};  ///< grains claimed and not finished
  std::atomic<double> progressed{0};  ///< when it last finished something, or began with nothing in hand
  std::atomic<double> at_block_since{
      -1};  ///< for a device: when its worker began with a block of a stream; negative: it has no block
  std::atomic<double> longest_block{0};  ///< the longest time of a block so far
  std::atomic<executor_stage> at;
  std::atomic<bool> commits_now{false};
  std::atomic<bool> may_leave_rest{false};  ///< the device may leave the rest of the run to others
  std::atomic<bool> wanted_back{false};     ///< set by others, cleared by the device (give_back_request.hpp)
  std::atomic<double> start_seconds;        ///< the time that its start still takes, until it is started
  std::atomic<double> start_told_at{0};     ///< when start_seconds was set
  std::atomic<double> started_at{0};
  std::atomic<std::uint32_t> most;  ///< the largest claim, in grains
  std::atomic<unsigned> depth;      ///< chunks that a worker may have open
  /// For devices: finds the rate from the first chunks. Guarded by the dispatcher's mutex.
  calibration_ramp ramp;
};

/// All executors of a run, in the run's order. The table itself does not change, so any thread may read it.
class executor_table {
 public:
  /// @throws logic_error when there are more than most_executors, or a device has several workers
  explicit executor_table(const std::vector<executor_config>& all);

  [[nodiscard]] std::size_t size() const noexcept { return all_.size(); }
  [[nodiscard]] executor_state& operator[](std::size_t index) const noexcept { return *all_[index]; }
  [[nodiscard]] auto begin() const noexcept { return all_.begin(); }
  [[nodiscard]] auto end() const noexcept { return all_.end(); }

  /// Whether there are both devices and pools.
  [[nodiscard]] bool mixed() const noexcept { return mixed_; }
  /// Whether a pool is the only executor. Then nobody needs to know the grains that its workers hold.
  [[nodiscard]] bool lone_pool() const noexcept { return all_.size() == 1 && !all_[0]->is.device; }
  /// Whether an executor other than `index` may still get grains.
  [[nodiscard]] bool others_take_part(unsigned index) const noexcept;
  /// The number of grains that pools have claimed and not finished.
  [[nodiscard]] std::uint64_t open_in_pools() const noexcept;
  /// Whether a device is at work, in a run with pools.
  [[nodiscard]] bool devices_at_work(double now) const noexcept;

 private:
  std::vector<std::unique_ptr<executor_state>> all_;
  bool mixed_ = false;
};

}  // namespace duomap::scheduler
