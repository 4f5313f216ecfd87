#include "scheduler/planner/device_plan.hpp"

#include "core/error.hpp"
#include "core/milliseconds_text.hpp"

#include <cstdint>
#include <string_view>
#include <utility>

namespace duomap::scheduler {
namespace {

constexpr std::string_view no_device_text = "no GPU used: ";

std::string mebibytes_text(std::uint64_t bytes) { return std::to_string(bytes >> 20) + " MiB"; }

// Why a device would be of no help to a run, as far as that can be told without listing devices, as a
// sentence for the report; empty when it may.
std::string no_use_of_devices(const run_outlook& outlook, const planner_thresholds& by) {
  // Put together in one piece of memory: runs that this is said of may take 30 us.
  std::string why;
  const auto says = [&](const auto&... parts) {
    why.reserve(192);
    why += no_device_text;
    (why.append(parts), ...);
    why += "; --device gpu or cpu+gpu uses it all the same";
    return why;
  };
  const char* const worth =
      outlook.started ? " that are worth using a GPU for" : " that are worth starting a GPU for";
  if (outlook.addressable_units == 0) return says("streams and compressed files are read by the CPU");
  if (outlook.pool_seconds) {
    const double least = outlook.started ? by.warm_seconds : by.cold_seconds;
    if (*outlook.pool_seconds >= least) return why;
    return says("the CPU alone is expected to take ", milliseconds_text(*outlook.pool_seconds),
                ", less than the ", milliseconds_text(least), worth);
  }
  // An index may take however long.
  const std::uint64_t least = outlook.started ? by.warm_bytes : by.unseen_bytes;
  if (outlook.direct_bytes == 0 || outlook.direct_bytes >= least) return why;
  return says(mebibytes_text(outlook.direct_bytes), " of input in memory-mapped files are less than the ",
              mebibytes_text(least), worth, ", and how long a byte takes is not known yet");
}

// Whether the run is so long, as far as that is known, that it may wait until the devices are listed.
bool may_wait_for_list(const run_outlook& outlook, const planner_thresholds& by) {
  return outlook.started || outlook.pool_seconds ||
         outlook.direct_bytes >= by.cold_bytes_per_worker * outlook.workers;
}

void add_clause(std::string& all, const std::string& one) {
  if (one.empty()) return;
  if (!all.empty()) all += "; ";
  all += one;
}

void add_devices(device_plan& plan, const device_provider& from) {
  for (const listed_device& one : from.list().devices) plan.devices.push_back({&from, {&one, {}}});
}

device_plan plan_if_useful(std::span<const device_offer> offers, const run_outlook& outlook,
                           const planner_thresholds& by) {
  device_plan plan;
  std::string problem;
  bool possible = false;
  for (const device_offer& one : offers) {
    possible = possible || (one.from->is_built() && one.has_code);
    if (!one.from->is_built()) {
      add_clause(problem, one.from->list().reason);
    } else if (!one.has_code) {
      add_clause(problem, one.from->no_code_reason());
    }
  }
  if (!possible) {
    plan.note = std::string(no_device_text) + problem;
    return plan;
  }
  plan.note = no_use_of_devices(outlook, by);
  if (!plan.note.empty()) return plan;
  problem.clear();
  for (const device_offer& one : offers) {
    if (!one.from->is_built() || !one.has_code) continue;
    const listed_device* const unlisted = one.from->unlisted();
    if (unlisted != nullptr && !may_wait_for_list(outlook, by)) {
      plan.devices.push_back({one.from, {unlisted, {}}});
      plan.unlisted = true;
      continue;
    }
    add_devices(plan, *one.from);
    add_clause(problem, one.from->list().reason);
  }
  if (plan.devices.empty()) plan.note = std::string(no_device_text) + problem;
  return plan;
}

device_plan plan_as_demanded(bool pools, std::span<const device_offer> offers) {
  device_plan plan{.pools = pools, .devices = {}, .note = {}};
  std::string problem;
  for (const device_offer& one : offers) {
    const device_list& found = one.from->list();
    if (found.devices.empty() || one.has_code) {
      add_clause(problem, found.reason);
    } else {
      add_clause(problem, one.from->no_code_reason());
    }
    if (!one.has_code) continue;
    add_devices(plan, *one.from);
    add_clause(plan.note, found.reason);
  }
  if (plan.devices.empty()) {
    throw device_unavailable("no GPU can be used: " + problem +
                             "; use --device cpu or auto to run on the CPU");
  }
  return plan;
}

}  // namespace

device_plan plan_devices(device_choice choice, std::span<const device_offer> offers,
                         const run_outlook& outlook, const planner_thresholds& by) {
  switch (choice) {
    case device_choice::cpu:
      return {};
    case device_choice::automatic:
      return plan_if_useful(offers, outlook, by);
    case device_choice::gpu:
    case device_choice::cpu_gpu:
      break;
  }
  return plan_as_demanded(choice == device_choice::cpu_gpu, offers);
}

}  // namespace duomap::scheduler
