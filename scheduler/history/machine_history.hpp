// Connects a run with the stored profile of its machine.
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
  std::vector<bool> cold = {};          ///< the device has to be started, with its context
  bool bytes = false;                   ///< the input is bytes that a link brings to the devices
  std::vector<double> started_in = {};  ///< device_lesson::started_in; empty: 0 for all
};

/// Connects one run, or a calibration, with the machine's profile, machine.profile, which lies beside those
/// of tasks. A run never fails because of the profile: one that cannot be read is empty. Used by one thread.
class machine_history {
 public:
  /// `now`: seconds since 1970.
  machine_history(profile_options options, std::int64_t now);

  [[nodiscard]] const machine_profile& profile() const noexcept { return profile_; }

  /// Completes the models of a run's devices. An unknown device gets the machine's costs, which hold for any
  /// task. No model is faster than the link.
  void complete(std::span<executor_model> models, const run_devices& devices) const;

  /// Learns from a run that succeeded, and stores the profile if the run showed something and storing is
  /// allowed.
  bool learn(std::span<const executor_report> executors, const run_devices& devices);

  void calibrate(const identity& part, std::span<const machine_figure> measured) {
    scheduler::calibrate(profile_, part, measured, now_);
  }

  /// Stores the profile; false when it was not stored, whatever the reason: read-only, off, no space, no
  /// permission.
  bool save() const;

  [[nodiscard]] std::filesystem::path path() const;

 private:
  profile_options options_;
  std::int64_t now_;
  machine_profile profile_;
};

}  // namespace duomap::scheduler
