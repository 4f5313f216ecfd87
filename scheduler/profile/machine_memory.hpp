// What is known of the machine before a run, and learned from it.
#pragma once

#include "scheduler/profile/machine_profile.hpp"
#include "scheduler/profile/profile_store.hpp"

#include <cstdint>
#include <filesystem>
#include <span>

namespace duomap::scheduler {

/// Connects one run, or a calibration, with the store, where the machine's profile lies beside those of tasks
/// as machine.profile. Nothing that is wrong with it ever fails a run: it is empty then. Used by one thread.
class machine_memory {
 public:
  /// `now`: seconds since 1970.
  machine_memory(profile_options options, std::int64_t now);

  [[nodiscard]] const machine_profile& profile() const noexcept { return profile_; }

  /// Completes what is believed of a device: where nothing is, with what every task there begins with; and no
  /// belief is faster than the link. Seconds are per unit.
  void complete(executor_model& model, const machine_identity& device, bool bytes_over_link) const;

  void calibrate(const machine_identity& part, std::span<const machine_figure> measured) {
    scheduler::calibrate(profile_, part, measured, now_);
  }
  bool learn(const machine_identity& device, const device_lesson& lesson) {
    return scheduler::learn(profile_, device, lesson, now_);
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
