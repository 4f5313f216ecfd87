// Where an executor stands in a run, as the other executors see it.
#pragma once

#include "core/config.hpp"
#include "scheduler/dispatch/dispatcher/calibration_ramp.hpp"
#include "scheduler/dispatch/dispatcher/executor_config.hpp"
#include "scheduler/dispatch/dispatcher/executor_rate.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace duomap::scheduler {

/// Pools are ready from the beginning. A device is cold or has declined to start until it pays; out of memory
/// it gets no more, but may commit; after a failure, or when it timed out, it is gone.
enum class executor_stage { cold, declined, starting, ready, out_of_memory, failed };

/// What one executor does now, and how fast it is.
///
/// Threads: the executor's own workers write, unless a field says otherwise; any thread reads, without a
/// lock. All fields are relaxed atomics: advice for the decisions of others, which may come a moment late,
/// and nothing is published through them. `at` of a device becomes `out_of_memory` or `failed` only with the
/// dispatcher's mutex held: a method that changes what counts reads it again under that mutex.
struct executor_state {
  /// `most`: grains of a claim at most.
  executor_state(const executor_config& one, std::uint32_t most);

  /// Whether it may still get grains.
  [[nodiscard]] bool takes_part() const noexcept;
  [[nodiscard]] bool has_failed() const noexcept {
    return at.load(std::memory_order_relaxed) == executor_stage::failed;
  }
  /// A device that takes part or may be started, and has not declined.
  [[nodiscard]] bool is_expected() const noexcept;
  /// A device that is not started.
  [[nodiscard]] bool is_expected_later() const noexcept;
  /// A device that need not be started for long is about to get its first grains.
  [[nodiscard]] bool begins(double now) const noexcept;
  /// A device has grains in hand, and not for so long that it seems to hang.
  [[nodiscard]] bool at_work(double now) const noexcept;

  /// A device found no memory for `refused` grains: its claims become smaller, then fewer at a time. False:
  /// it cannot do with less, because it had no others in hand (`alone`), and gets no more. Called with the
  /// dispatcher's mutex held.
  [[nodiscard]] bool take_less(std::uint32_t refused, bool solo) noexcept;

  const executor_config is;
  executor_rate rate;
  alignas(cache_separation) std::atomic<std::uint32_t> open{0};  ///< grains claimed and not finished
  std::atomic<double> progressed{0};       ///< when it last finished something, or began with nothing in hand
  std::atomic<double> at_block_since{-1};  ///< a device: with a block of a stream; negative: with none
  std::atomic<double> longest_block{0};    ///< that ended so far
  std::atomic<executor_stage> at;
  std::atomic<bool> commits_now{false};
  std::atomic<bool> may_leave_rest{false};  ///< a device that is not sure to take what is left
  std::atomic<bool> wanted_back{false};     ///< set by others, cleared by the device (give_back_request.hpp)
  std::atomic<double> start_seconds;        ///< that starting it still takes, as long as it is not started
  std::atomic<double> start_told_at{0};     ///< when that was
  std::atomic<double> started_at{0};
  std::atomic<std::uint32_t> most;  ///< grains of a claim
  std::atomic<unsigned> depth;      ///< chunks a worker may have open
  /// Devices: what its first chunks show. See its own contract; the lock that it asks for is the dispatcher's
  /// mutex.
  calibration_ramp ramp;
};

/// All executors of a run, in the order in which it names them. The table itself does not change, so any
/// thread may read it.
class executor_table {
 public:
  /// `most_grains`: of a claim, where that is not what each config says.
  /// @throws logic_error when there are too many, or a device has several workers
  explicit executor_table(const std::vector<executor_config>& all,
                          std::optional<std::uint32_t> most_grains = std::nullopt);

  [[nodiscard]] std::size_t size() const noexcept { return all_.size(); }
  [[nodiscard]] executor_state& operator[](std::size_t index) const noexcept { return *all_[index]; }
  [[nodiscard]] auto begin() const noexcept { return all_.begin(); }
  [[nodiscard]] auto end() const noexcept { return all_.end(); }

  /// There are devices and pools.
  [[nodiscard]] bool mixed() const noexcept { return mixed_; }
  /// There is a pool and nothing else: what its workers have in hand need not be known.
  [[nodiscard]] bool lone_pool() const noexcept { return all_.size() == 1 && !all_[0]->is.device; }
  /// Some executor but this one may still get grains.
  [[nodiscard]] bool others_take_part(unsigned index) const noexcept;
  /// Grains that pools have claimed and not finished.
  [[nodiscard]] std::uint64_t open_in_pools() const noexcept;
  /// Of a run with pools: a device is at work.
  [[nodiscard]] bool devices_at_work(double now) const noexcept;

 private:
  std::vector<std::unique_ptr<executor_state>> all_;
  bool mixed_ = false;
};

}  // namespace duomap::scheduler
