// What is known of the machine before a run, and learned from it.
#pragma once

#include "scheduler/history/machine_profile.hpp"
#include "scheduler/history/profile_store.hpp"

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

namespace duomap::scheduler {

/// The devices of a run, in the order of its executors.
struct run_devices {
  std::vector<identity> are = {};
  std::vector<bool> cold = {};          ///< has to be started, context and all
  bool bytes = false;                   ///< what they are given are bytes that have to be brought to them
  std::vector<double> started_in = {};  ///< device_lesson::started_in; empty: of none
};

/// Connects one run, or a calibration, with the store, where the machine's profile lies beside those of tasks
/// as machine.profile. Nothing that is wrong with it ever fails a run: it is empty then. Used by one thread.
class machine_history {
 public:
  /// `now`: seconds since 1970.
  machine_history(profile_options options, std::int64_t now);

  [[nodiscard]] const machine_profile& profile() const noexcept { return profile_; }

  /// Completes what is believed of a run's devices: of one of which nothing is, with what every task there
  /// begins with; and no belief is faster than the link.
  void complete(std::span<executor_model> models, const run_devices& devices) const;

  /// Learns from a run that ended well, and stores it if it may and there was something to learn.
  bool learn(std::span<const executor_report> executors, const run_devices& devices);

  void calibrate(const identity& part, std::span<const machine_figure> measured) {
    scheduler::calibrate(profile_, part, measured, now_);
  }

  /// False when it was not stored, whatever the reason: read-only, off, no space, no permission.
  bool save() const;

  [[nodiscard]] std::filesystem::path path() const;

 private:
  profile_options options_;
  std::int64_t now_;
  machine_profile profile_;
};

}  // namespace duomap::scheduler
