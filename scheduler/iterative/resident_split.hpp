// Decides how the data of an iterative job is split between a pool and devices, without a clock.
#pragma once

#include "scheduler/iterative/step_model.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace duomap::scheduler {

/// The facts before the first step.
struct resident_split_options {
  /// Whether a pool takes part. A pool is member 0, reads from host memory, and may get all data.
  bool pool = true;
  /// If true, devices start with the first step. If false, they start when the pool's steps have taken as
  /// long as starting them costs. A job of unknown length then pays at most twice the cost that a known
  /// length would give (the ski-rental rule).
  bool start_at_once = false;
  double start_seconds = 0;
  /// The largest number of steps; 0: not known. Devices are not started if the pool can do the remaining
  /// steps in less time.
  std::uint32_t most_steps = 0;
  /// The time to bring a grain to a device.
  double copy_seconds_per_grain = 0;
  /// The size of the last grain, divided by the size of the others: greater than 0, at most 1. The pool has
  /// this grain or, without a pool, the last device.
  double last_grain = 1;
  /// The expected time of a step on the pool alone; 0: not known. A pool that is too slow to shorten the
  /// steps of devices is not tried. On an H200 such a trial cost a run of k-means 1 ms.
  double pool_seconds = 0;
};

/// The shares of each step, in grains. The same class decides in real and in simulated jobs, because its
/// caller tells it the times of steps.
///
/// A new member does a part once, to be measured (a probe). Then the members' models (step_model.hpp) show
/// shares with which all would end together. These are tried if they promise a step that is 2 % shorter than
/// with the best split so far. The steps without them must also have lost the time that moving the data
/// takes. A new split stays if it keeps the promise. Otherwise the best split comes back. After three broken
/// promises, no split is tried until the time of the best split has changed by a quarter.
class resident_split {
 public:
  /// Requires a pool, or a device added before the first step.
  explicit resident_split(std::uint32_t grains, const resident_split_options& options = {});

  /// Whether the caller must find, start and add devices before the next step. True until devices_started()
  /// is called.
  [[nodiscard]] bool starts_devices() const noexcept;
  /// The time to start devices and bring all data to them.
  [[nodiscard]] double start_costs() const noexcept { return options_.start_seconds + copy_seconds(); }
  /// The time of all steps before devices were started.
  [[nodiscard]] double pool_seconds() const noexcept { return pool_seconds_; }
  /// Whether the pool ends the remaining steps before devices that start in `start_seconds_left` have the
  /// data. If the number of steps is not known, only the next step counts.
  [[nodiscard]] bool pool_is_sooner(double start_seconds_left) const noexcept;
  /// Tells that the caller has added all devices.
  void devices_started();

  /// Adds a device whose memory holds `most_grains` grains. Returns its index.
  std::size_t add_device(std::uint32_t most_grains);

  /// Gives devices this share of the grains for good, in equal parts, as far as they have memory.
  void share_by_hand(double device_share);

  /// The number of grains of each member in the next step. They add up to all grains, unless the members
  /// cannot hold them (complete() is then false).
  [[nodiscard]] const std::vector<std::uint32_t>& shares() const noexcept { return shares_; }
  [[nodiscard]] bool complete() const noexcept;

  /// Tells that a step with these shares is done. `seconds`: the time of each member (0: it had no data).
  /// `step_seconds`: the time of the whole step, without moving data before it.
  void finished(std::span<const double> seconds, double step_seconds);

  /// Tells that a device has no memory for more than `grains` grains.
  void holds_at_most(std::size_t index, std::uint32_t grains);
  void failed(std::size_t index);

  [[nodiscard]] const step_model& model(std::size_t index) const { return members_[index].model; }
  /// Why a member has nothing to do, as a part of a sentence; empty if it has something to do.
  [[nodiscard]] std::string reason(std::size_t index) const;
  /// The first split that was computed from speeds, and the expected time of a step with it.
  [[nodiscard]] const std::vector<std::uint32_t>& planned() const noexcept { return planned_; }
  [[nodiscard]] double planned_seconds() const noexcept { return planned_seconds_; }
  /// The number of changes of the shares since the first step.
  [[nodiscard]] std::uint64_t changes() const noexcept { return changes_; }

 private:
  struct member {
    bool device = false;
    bool failed = false;
    std::uint32_t most_grains = 0;
    step_model model = {};
  };
  struct candidate {
    std::vector<std::uint32_t> shares;
    double seconds = 0;
  };

  /// Shares that are being dealt out, and the number of grains that nobody has got yet.
  struct dealt {
    std::vector<std::uint32_t> shares;
    std::uint32_t left = 0;
  };

  [[nodiscard]] double copy_seconds() const noexcept { return grains_ * options_.copy_seconds_per_grain; }
  [[nodiscard]] double pool_seconds_left() const noexcept;
  void give(dealt& deal, std::size_t index, std::uint32_t grains) const;
  [[nodiscard]] std::optional<std::vector<std::uint32_t>> probe() const;
  [[nodiscard]] std::uint32_t probe_size(std::size_t index) const;
  [[nodiscard]] double size_of(std::size_t index) const;
  [[nodiscard]] bool is_measured(std::size_t index) const;
  [[nodiscard]] bool is_hopeless(std::size_t index) const;
  [[nodiscard]] double expected_seconds(const std::vector<std::uint32_t>& shares) const;
  [[nodiscard]] std::optional<candidate> best_by_models() const;
  [[nodiscard]] std::optional<candidate> filled_up(const std::vector<std::size_t>& active) const;
  void hand_out(std::vector<std::uint32_t> shares);
  void place_without_speeds();
  void start_over();
  void decide();

  std::uint32_t grains_;
  resident_split_options options_;
  std::vector<member> members_;
  std::vector<std::uint32_t> shares_;
  std::optional<double> by_hand_;
  bool started_ = false;
  bool stepped_ = false;
  std::uint32_t pool_steps_ = 0;  // steps before devices were started
  double pool_seconds_ = 0;
  std::vector<double> times_;  // times of the last steps with these shares
  std::uint64_t steps_ = 0;    // the number of steps with these shares
  std::vector<std::uint32_t> best_;
  double best_seconds_ = 0;     // 0: there is no best split
  double settled_seconds_ = 0;  // time of the best split when it became the best
  bool probing_ = false;
  double promised_seconds_ = 0;  // expected time of the split that is being tried
  unsigned broken_promises_ = 0;
  double lost_seconds_ = 0;             // the time lost in steps since a better split was found
  double together_seconds_ = 0;         // how much longer a shared step takes than its slowest member
  std::uint64_t considered_steps_ = 0;  // steps_ when the models were last asked
  double considered_seconds_ = 0;       // the time of a step at that moment
  std::vector<std::uint32_t> planned_;
  double planned_seconds_ = 0;
  std::uint64_t changes_ = 0;
};

}  // namespace duomap::scheduler
