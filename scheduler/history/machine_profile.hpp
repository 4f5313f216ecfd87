// The remembered figures of a machine, which hold for every task.
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
/// its own, so that a run without GPUs need not ask CUDA for devices. A GPU that is hidden today keeps its
/// figures.
struct machine_part {
  std::string name;            ///< "host", or the UUID of a GPU, which never changes
  profile_facts facts;         ///< the facts that held at the measurement
  std::int64_t stored_at = 0;  ///< seconds since 1970
  std::vector<machine_figure> figures;
};

struct machine_profile {
  std::vector<machine_part> parts;
};

/// The part with this name; nullptr if there is none.
[[nodiscard]] const machine_part* find(const machine_profile& all, std::string_view name) noexcept;

/// Whether the part was measured with the same facts and in the last 30 days, not in the future.
[[nodiscard]] bool trusted(const machine_part& one, const profile_facts& facts, std::int64_t now) noexcept;

/// Replaces the figures of the measured terms, and forgets figures that were measured with other facts.
/// Figures of other terms stay, because runs have taught them.
void calibrate(machine_profile& all, const identity& part, std::span<const machine_figure> measured,
               std::int64_t now);

/// The measurements of a device in one run.
struct device_lesson {
  const executor_report& report;
  bool was_cold = false;  ///< the run had to start the device, and make its context
  bool bytes = false;     ///< units are bytes, which a link brought to the device
  double started_in = 0;  ///< seconds of a background start in earlier runs, if this run reports it first
};

/// Learns from a run. It blends in the start of a cold device and the fixed cost of a chunk, in the way of
/// updated() in task_profile.hpp, and keeps the highest rate of arriving input. False: the run showed
/// nothing, or the device failed.
bool learn(machine_profile& all, const identity& device, const device_lesson& lesson, std::int64_t now);

/// The model of a device for a task that never ran on it here. The known costs of a start and of a chunk are
/// hints, wherever they were measured. If the input comes over the link (`bytes_over_link`), the calibrated
/// speed of the link bounds the time of a byte, as long as it is trusted.
[[nodiscard]] executor_model model_of_machine(const machine_profile& all, const identity& device,
                                              std::int64_t now, bool bytes_over_link);

/// The longest known start of a device; 0 if none is known.
[[nodiscard]] double start_seconds_of(const machine_profile& all);

/// The text of a profile, version 1. A name may hold any bytes, and numbers keep their exact values.
[[nodiscard]] std::string to_text(const machine_profile& all);

/// Reads a profile from its text. No value: to_text() of this version would not make the same text.
[[nodiscard]] std::optional<machine_profile> parse_machine_profile(std::string_view text);

}  // namespace duomap::scheduler
