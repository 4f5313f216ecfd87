// What is remembered of a machine, whatever task runs on it.
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

/// The host, or one GPU of it, with what tells whether it is still the same: a run that uses no GPU can read
/// the host's figures without asking CUDA for devices, and a GPU that is hidden today keeps its figures.
struct machine_part {
  std::string name;            ///< "host", or a GPU by what never changes: its UUID
  profile_facts facts;         ///< what it was measured with
  std::int64_t stored_at = 0;  ///< seconds since 1970
  std::vector<machine_figure> figures;
};

struct machine_profile {
  std::vector<machine_part> parts;
};

/// The part; nullptr when nothing is known of it.
[[nodiscard]] const machine_part* find(const machine_profile& all, std::string_view name) noexcept;

/// Whether it was measured with the same facts, and not more than 30 days ago nor in the future.
[[nodiscard]] bool trusted(const machine_part& one, const profile_facts& facts, std::int64_t now) noexcept;

/// Puts measured figures into the place of older ones of the same terms. What was measured with other facts
/// is forgotten; other terms, learned from runs, stay.
void calibrate(machine_profile& all, const identity& part, std::span<const machine_figure> measured,
               std::int64_t now);

/// What a run has shown of a device.
struct device_lesson {
  const executor_report& report;
  bool was_cold = false;  ///< it had to be started, context and all
  bool bytes = false;     ///< units are bytes that had to be brought to it
  double started_in = 0;  ///< seconds: it was started beside runs before, and this is the first to tell
};

/// Learns from a run: the start of a cold device and the fixed cost of a chunk, blended as
/// task_profile.hpp's updated() does, and the most input per second that has arrived. False when the run
/// showed nothing, or the device failed.
bool learn(machine_profile& all, const identity& device, const device_lesson& lesson, std::int64_t now);

/// What a task that was never run here can begin with on a device. `model` has the costs of starting and of a
/// chunk as far as they are known; they are hints, wherever they were measured. The link as calibrated is
/// the least that a byte of `bytes_over_link` input can take, and counts only where it is trusted.
[[nodiscard]] executor_model model_of_machine(const machine_profile& all, const identity& device,
                                              std::int64_t now, bool bytes_over_link);

/// What starting a device takes: the longest of those that are known; 0 when none is.
[[nodiscard]] double start_seconds_of(const machine_profile& all);

/// Version 1. Names may hold any bytes; numbers survive exactly.
[[nodiscard]] std::string to_text(const machine_profile& all);

/// The profile; nothing when the text is not exactly what to_text() of this version makes.
[[nodiscard]] std::optional<machine_profile> parse_machine_profile(std::string_view text);

}  // namespace duomap::scheduler
