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
  std::vector<bool> cold = {};          ///< the run has to start the device, and make its context
  bool bytes = false;                   ///< the input is bytes, which a link brings to the devices
  std::vector<double> started_in = {};  ///< device_lesson::started_in of each device; empty: 0 for all
};

/// Connects one run, or a calibration, with the machine's profile. Its file is machine.profile, beside the
/// profiles of tasks. A run never fails because of the profile: an unreadable one counts as empty. Only one
/// thread uses the object.
class machine_history {
 public:
  /// `now`: seconds since 1970.
  machine_history(profile_options options, std::int64_t now);

  [[nodiscard]] const machine_profile& profile() const noexcept { return profile_; }

  /// Completes the models of a run's devices. An unknown device gets the machine's costs, which hold for any
  /// task. No model may be faster than the link.
  void complete(std::span<executor_model> models, const run_devices& devices) const;

  /// Learns from a successful run. Stores the profile if the run showed something new and storing is allowed.
  bool learn(std::span<const executor_report> executors, const run_devices& devices);

  void calibrate(const identity& part, std::span<const machine_figure> measured) {
    scheduler::calibrate(profile_, part, measured, now_);
  }

  /// Stores the profile. False: it was not stored, for any reason: read-only, off, no space, no permission.
  bool save() const;

  [[nodiscard]] std::filesystem::path path() const;

 private:
  profile_options options_;
  std::int64_t now_;
  machine_profile profile_;
};

}  // namespace duomap::scheduler
