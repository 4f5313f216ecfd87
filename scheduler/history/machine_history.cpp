// Reads and stores the machine's profile through the cache of this process.
#include "scheduler/history/machine_history.hpp"

#include "scheduler/history/stored_cache.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace duomap::scheduler {
namespace {

stored_cache<machine_profile>& machine_cache() {
  // The object is never destroyed, because at the end of the process a thread may still run a job and use it.
  static auto& all = *new stored_cache<machine_profile>(parse_machine_profile, to_text);
  return all;
}

}  // namespace

machine_history::machine_history(profile_options options, std::int64_t now)
  : options_(std::move(options)), now_(now) {
  if (options_.access == profile_access::off) return;
  const auto known = options_.access == profile_access::in_process
                         ? machine_cache().recall(path().native())
                         : machine_cache().read(path().native(), machine_cache().clock());
  if (known) profile_ = *known;
}

void machine_history::complete(std::span<executor_model> models, const run_devices& devices) const {
  for (std::size_t i = 0; i < devices.are.size(); ++i) {
    executor_model& model = models[i];
    const executor_model machine = model_of_machine(profile_, devices.are[i], now_, devices.bytes);
    model.least_seconds_per_unit = machine.least_seconds_per_unit;
    model.start_seconds = machine.start_seconds;
    if (model.known()) {
      model.seconds_per_unit = std::max(model.seconds_per_unit, model.least_seconds_per_unit);
    } else {
      model.claim_seconds = machine.claim_seconds;
    }
  }
}

bool machine_history::learn(std::span<const executor_report> executors, const run_devices& devices) {
  bool learned = false;
  std::size_t i = 0;
  for (const executor_report& one : executors) {
    if (one.kind != executor_kind::device) continue;
    const device_lesson lesson{.report = one,
                               .was_cold = devices.cold.at(i),
                               .bytes = devices.bytes,
                               .started_in = devices.started_in.empty() ? 0 : devices.started_in.at(i)};
    if (scheduler::learn(profile_, devices.are.at(i), lesson, now_)) learned = true;
    ++i;
  }
  if (!learned) return false;
  if (options_.access == profile_access::in_process) {
    machine_cache().remember(path().native(), profile_);
    return true;
  }
  return options_.access == profile_access::read_write &&
         machine_cache().keep(path().native(), profile_, machine_cache().clock());
}

bool machine_history::save() const {
  return options_.access == profile_access::read_write &&
         machine_cache().write(path().native(), profile_, machine_cache().clock());
}

std::filesystem::path machine_history::path() const {
  return options_.folder + "/profile-v1/machine.profile";
}

}  // namespace duomap::scheduler
