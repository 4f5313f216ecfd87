// How the data of an iterative job is split between a pool and devices: every decision, without a clock.
#pragma once

#include "scheduler/iterative/step_model.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace duomap::scheduler {

/// What is known before the first step.
struct resident_split_options {
  /// A pool takes part, which reads from host memory and may get everything. It is member 0.
  bool pool = true;
  /// Devices start with the first step. Otherwise when the steps of the pool have taken start_seconds: a job
  /// that does not know how many steps will come pays at most twice what it would pay if it knew (the
  /// ski-rental rule).
  bool start_at_once = false;
  double start_seconds = 0;
  /// No more steps will come; 0: nobody knows. Devices are not started for the few that are left, which the
  /// pool does in less time.
  std::uint32_t most_steps = 0;
  /// To bring a grain to a device.
  double copy_seconds_per_grain = 0;
  /// The last grain as a part of the others: greater than 0, at most 1. The pool has it, or the last device.
  double last_grain = 1;
  /// The expected time of a step on the pool, solo; 0: not known. The pool is not tried if it is so much
  /// slower than devices that it could not make steps shorter. On an H200 such a trial cost a run of k-means
  /// 1 ms of 28.
  double pool_seconds = 0;
};

/// Shares of each step, in grains. The same object decides in real jobs and in simulated ones: it is told
/// what steps took, and asks nobody.
///
/// New members do a part once, to be measured (a probe). From then on a split is tried when the members'
/// models (step_model.hpp), filled up to a common level, promise a step that is 2 % shorter than what the
/// best split so far takes, and when the steps that waited for it have lost what moving the data costs. It
/// stays if it keeps the promise, else the best one comes back. After three broken promises nothing is tried
/// any more, until the time of the best split has changed by a quarter.
class resident_split {
 public:
  /// Requires a pool, or a device added before the first step.
  explicit resident_split(std::uint32_t grains, const resident_split_options& options = {});

  /// Whether devices are to be found, started and added now, before the next step. True until they are.
  [[nodiscard]] bool starts_devices() const noexcept;
  /// Starting devices and bringing all data there.
  [[nodiscard]] double start_costs() const noexcept { return options_.start_seconds + copy_seconds(); }
  /// Of all steps before devices were started.
  [[nodiscard]] double pool_seconds() const noexcept { return pool_seconds_; }
  /// Whether the pool does the steps that are left, or the next one if nobody knows how many are, before
  /// devices that are ready in so many seconds have the data.
  [[nodiscard]] bool pool_is_sooner(double start_seconds_left) const noexcept;
  /// All devices that there are have been added.
  void devices_started();

  /// Has memory for so many grains. Returns its number.
  std::size_t add_device(std::uint32_t most_grains);

  /// Devices get this part of the grains, each the same, as far as they have memory, and nothing is
  /// corrected.
  void split_by_hand(double device_share);

  /// The grains of each member in the next step. They add up to all, unless no member is left that could have
  /// them (complete() is false then).
  [[nodiscard]] const std::vector<std::uint32_t>& shares() const noexcept { return shares_; }
  [[nodiscard]] bool complete() const noexcept;

  /// A step with those shares is done: what each member took (0: it had nothing), and all of it, without the
  /// moving before.
  void finished(std::span<const double> seconds, double step_seconds);

  /// A device has no memory for more.
  void holds_at_most(std::size_t index, std::uint32_t grains);
  /// A device is no more.
  void failed(std::size_t index);

  [[nodiscard]] const step_model& model(std::size_t index) const { return members_[index].model; }
  /// Why a member has nothing to do, a part of a sentence; empty when it has.
  [[nodiscard]] std::string reason(std::size_t index) const;
  /// The first split that came from speeds, and what a step was to take with it.
  [[nodiscard]] const std::vector<std::uint32_t>& planned() const noexcept { return planned_; }
  [[nodiscard]] double planned_seconds() const noexcept { return planned_seconds_; }
  /// How often the shares have changed since the first step.
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

  /// Shares being dealt out, and the grains that nobody has got yet.
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
  std::uint32_t pool_steps_ = 0;  // before devices were started
  double pool_seconds_ = 0;
  std::vector<double> times_;  // of the last steps with these shares
  std::uint64_t steps_ = 0;    // with these shares
  std::vector<std::uint32_t> best_;
  double best_seconds_ = 0;     // 0: there is none
  double settled_seconds_ = 0;  // of the best split when it became that
  bool probing_ = false;
  double promised_seconds_ = 0;  // of what is being tried
  unsigned broken_promises_ = 0;
  double lost_seconds_ = 0;             // by not having moved yet
  double together_seconds_ = 0;         // what a step of several takes beyond its slowest member
  std::uint64_t considered_steps_ = 0;  // when models were last asked,
  double considered_seconds_ = 0;       // and what a step took then
  std::vector<std::uint32_t> planned_;
  double planned_seconds_ = 0;
  std::uint64_t changes_ = 0;
};

}  // namespace duomap::scheduler
