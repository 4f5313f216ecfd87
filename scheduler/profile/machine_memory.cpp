#include "scheduler/profile/machine_memory.hpp"

#include "scheduler/profile/stored_cache.hpp"

#include <algorithm>
#include <utility>

namespace duomap::scheduler {
namespace {

stored_cache<machine_profile>& cache() {
  static stored_cache<machine_profile> all(parse_machine_profile, to_text);
  return all;
}

}  // namespace

machine_memory::machine_memory(profile_options options, std::int64_t now)
  : options_(std::move(options)), now_(now) {
  if (options_.access == profile_access::off) return;
  if (const auto known = cache().read(path().native(), cache().clock())) profile_ = *known;
}

void machine_memory::complete(std::vector<executor_model>& models, const run_devices& devices) const {
  for (std::size_t i = 0; i < devices.are.size(); ++i) {
    executor_model& model = models.at(devices.first + i);
    const executor_model machine = model_of_machine(profile_, devices.are[i], now_, devices.bytes);
    model.least_seconds_per_grain = machine.least_seconds_per_grain;
    model.start_seconds = machine.start_seconds;
    if (model.known()) {
      model.seconds_per_grain = std::max(model.seconds_per_grain, model.least_seconds_per_grain);
    } else {
      model.claim_seconds = machine.claim_seconds;
    }
  }
}

bool machine_memory::learn(std::span<const executor_report> executors, const run_devices& devices) {
  bool learned = false;
  for (std::size_t i = 0; i < devices.are.size(); ++i) {
    const device_lesson lesson{executors[devices.first + i], devices.cold[i], devices.bytes};
    if (scheduler::learn(profile_, devices.are[i], lesson, now_)) learned = true;
  }
  return learned && options_.access == profile_access::read_write &&
         cache().keep(path().native(), profile_, cache().clock());
}

bool machine_memory::save() const {
  return options_.access == profile_access::read_write &&
         cache().write(path().native(), profile_, cache().clock());
}

std::filesystem::path machine_memory::path() const { return options_.folder + "/profile-v1/machine.profile"; }

}  // namespace duomap::scheduler
