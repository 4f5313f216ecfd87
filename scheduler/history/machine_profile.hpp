// The remembered figures of a machine, which hold for any task.
#pragma once

#include "core/machine_figures.hpp"
#include "core/report.hpp"
#include "scheduler/history/identity.hpp"
#include "scheduler/history/profile_words.hpp"
#include "scheduler/models/executor_model.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace duomap::scheduler {

/// The host or one of its GPUs, with the facts that tell whether it is still the same. The host is a part of
/// its own, so that a run without GPUs can read its figures without asking CUDA for devices, and a GPU that
/// is hidden today keeps its figures.
struct machine_part {
  std::string name;            ///< "host", or the UUID of a GPU, which never changes
  profile_facts facts;         ///< the facts at the measurement
  std::int64_t stored_at = 0;  ///< seconds since 1970
  std::vector<machine_figure> figures;
};

struct machine_profile {
  std::vector<machine_part> parts;
};

/// The part of that name; nullptr when there is none.
[[nodiscard]] const machine_part* find(const machine_profile& all, std::string_view name) noexcept;

/// Whether the part was measured with the same facts, and not more than 30 days ago nor in the future.
[[nodiscard]] bool trusted(const machine_part& one, const profile_facts& facts, std::int64_t now) noexcept;

/// Replaces the figures of the measured terms. Figures that were measured with other facts are forgotten.
/// Figures of other terms, which were learned from runs, stay.
void calibrate(machine_profile& all, const identity& part, std::span<const machine_figure> measured,
               std::int64_t now);

/// The measurements of a device in one run.
struct device_lesson {
  const executor_report& report;
  bool was_cold = false;  ///< the run had to start the device, with its context
  bool bytes = false;     ///< units are bytes that a link brought to the device
  double started_in = 0;  ///< seconds of a start beside earlier runs, if this run is the first to report it
};

/// Learns from a run: blends in the start of a cold device and the fixed cost of a chunk as
/// task_profile.hpp's updated() does, and keeps the highest rate of arriving input. False when the run showed
/// nothing, or the device failed.
bool learn(machine_profile& all, const identity& device, const device_lesson& lesson, std::int64_t now);

/// The model of a device for a task that was never run here. It has the known costs of a start and of a
/// chunk; they are hints, wherever they were measured. The calibrated link bounds the time of a byte of
/// `bytes_over_link` input, but only while it is trusted.
[[nodiscard]] executor_model model_of_machine(const machine_profile& all, const identity& device,
                                              std::int64_t now, bool bytes_over_link);

/// The longest known start of a device; 0 when none is known.
[[nodiscard]] double start_seconds_of(const machine_profile& all);

/// The text of a profile, version 1. Names may hold any bytes; numbers survive exactly.
[[nodiscard]] std::string to_text(const machine_profile& all);

/// The profile; nothing when the text differs from the text that to_text() of this version makes.
[[nodiscard]] std::optional<machine_profile> parse_machine_profile(std::string_view text);

}  // namespace duomap::scheduler
