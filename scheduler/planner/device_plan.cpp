// Offers devices to a run, or says in a sentence why the run gets none.
#include "scheduler/planner/device_plan.hpp"

#include "core/error.hpp"
#include "core/seconds_text.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace duomap::scheduler {
namespace {

constexpr std::string_view no_device_text = "no GPU used: ";

std::string mebibytes_text(std::uint64_t bytes) { return std::to_string(bytes >> 20) + " MiB"; }

// Whether the pool reads and decompresses for devices, in place of mapping. Devices must gain more than a
// chance difference of times, and more than the cost to use them or start them.
bool pool_feeds_devices(const run_outlook& outlook, const planner_thresholds& by) {
  if (!outlook.streams) return false;
  const stream_forecast& of = *outlook.streams;
  const double gain = of.pools() - of.devices();
  return gain > by.least_difference * of.pools() &&
         gain * static_cast<double>(outlook.stream_bytes) >=
             (outlook.started ? by.machine.warm_run_seconds : by.cold_seconds());
}

// Example: "reading and decompressing takes 45 % of the time of the CPU alone, and a GPU would take 50 %"
std::string text_of(const stream_forecast& of) {
  const auto percent = [&](double part) {
    return std::to_string(std::lround(100 * part / of.pools())) + " %";
  };
  return "reading and decompressing takes " + percent(of.read) +
         " of the time that the CPU alone takes, and a GPU that is fed so would take " +
         percent(of.devices());
}

std::string feeds_text(const run_outlook& outlook) {
  return "the CPU reads and decompresses for the GPU, which maps: " + text_of(*outlook.streams);
}

std::string no_use_for_streams(const run_outlook& outlook, const planner_thresholds& by) {
  if (pool_feeds_devices(outlook, by)) return {};
  std::string why(no_device_text);
  if (outlook.stream_bytes < by.warm_bytes) {
    why += "small files and pipes are read by the CPU";
  } else if (!outlook.streams) {
    why +=
        "the CPU does the first run of a task on files that it reads or decompresses as streams, which shows "
        "what that takes";
  } else {
    why += text_of(*outlook.streams) +
           (outlook.started
                ? ""
                : "; that does not win back " + seconds_text(by.cold_seconds()) + ", the price of a start");
  }
  return why + "; --device gpu has a GPU map them";
}

// Why devices cannot help a run, as a sentence for the report; empty if they may help. The reason is found
// without listing devices.
std::string no_use_of_devices(const run_outlook& outlook, const planner_thresholds& by) {
  // The text needs only one allocation, because a run that gets this sentence may take only 30 us.
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
  if (outlook.addressable_units == 0) return no_use_for_streams(outlook, by);
  if (outlook.pool_seconds) {
    const double least = outlook.started ? by.machine.warm_run_seconds
                                         : outlook.start_seconds_left.value_or(by.cold_seconds());
    if (*outlook.pool_seconds >= least) return why;
    return says("the CPU alone is expected to take ", seconds_text(*outlook.pool_seconds), ", less than the ",
                seconds_text(least), worth);
  }
  // For indices, the size of the input says nothing, because mapping one index may take any time.
  const std::uint64_t least = outlook.started ? by.warm_bytes : by.unseen_bytes;
  if (outlook.direct_bytes == 0 || outlook.direct_bytes >= least) return why;
  return says(mebibytes_text(outlook.direct_bytes), " of input in memory-mapped files are less than the ",
              mebibytes_text(least), worth, ", and how long a byte takes is not known yet");
}

void add_clause(std::string& all, const std::string& one) {
  if (one.empty()) return;
  if (!all.empty()) all += "; ";
  all += one;
}

// The devices that may take part.
std::vector<const listed_device*> allowed(std::span<const listed_device> devices, std::span<const int> gpus) {
  std::vector<const listed_device*> some;
  for (const listed_device& one : devices) {
    if (gpus.empty() || std::ranges::find(gpus, one.index) != gpus.end()) some.push_back(&one);
  }
  return some;
}

// A clause with the numbers of requested devices that are missing; empty if all are there.
std::string missing(std::span<const listed_device> devices, std::span<const int> gpus) {
  std::string all;
  for (const int wanted : gpus) {
    if (std::ranges::find(devices, wanted, &listed_device::index) == devices.end())
      all += (all.empty() ? "there is no gpu " : ", ") + std::to_string(wanted);
  }
  if (all.empty() || devices.empty()) return all;
  all += "; there ";
  all += devices.size() == 1 ? "is" : "are";
  for (const listed_device& one : devices)
    all += (&one == &devices.front() ? " gpu " : ", ") + std::to_string(one.index);
  return all;
}

// Adds the unlisted devices of a provider to the plan. False: the provider has none, because listing takes no
// time, or a requested device is not among them.
bool add_unlisted(device_plan& plan, const device_provider& from, std::span<const int> gpus) {
  const auto some = from.unlisted();
  if (some.empty() || !missing(some, gpus).empty()) return false;
  for (const listed_device* const one : allowed(some, gpus)) plan.devices.push_back({&from, {one, {}}});
  plan.unlisted = true;
  return true;
}

void add_devices(device_plan& plan, const device_provider& from, std::span<const int> gpus) {
  for (const listed_device* const one : allowed(from.list().devices, gpus))
    plan.devices.push_back({&from, {one, {}}});
}

device_plan plan_if_useful(std::span<const device_offer> offers, const run_outlook& outlook,
                           const planner_thresholds& by) {
  device_plan plan;
  std::string problem;
  bool possible = false;
  for (const device_offer& one : offers) {
    if (!one.from->is_built() || !one.from->may_have_any()) {
      add_clause(problem, one.from->list().reason);
    } else if (!one.has_code) {
      add_clause(problem, one.from->no_code_reason());
    } else {
      possible = true;
    }
  }
  if (!possible) {
    plan.note = std::string(no_device_text) + problem;
    return plan;
  }
  plan.note = no_use_of_devices(outlook, by);
  if (!plan.note.empty()) return plan;
  plan.pools = outlook.addressable_units > 0;
  problem.clear();
  for (const device_offer& one : offers) {
    if (!one.from->is_built() || !one.has_code) continue;
    // If the pool does not map, an executor for the streams must be chosen before the run, so devices are
    // listed.
    if (plan.pools && add_unlisted(plan, *one.from, outlook.gpus)) continue;
    add_devices(plan, *one.from, outlook.gpus);
    add_clause(problem, one.from->list().reason);
    const std::string clause = missing(one.from->list().devices, outlook.gpus);
    add_clause(problem, clause);
    add_clause(plan.note, clause);
  }
  if (plan.devices.empty()) {
    plan.pools = true;
    plan.note = std::string(no_device_text) + problem;
  } else if (!plan.pools) {
    add_clause(plan.note, feeds_text(outlook));
  }
  return plan;
}

device_plan plan_as_demanded(device_choice choice, std::span<const device_offer> offers,
                             const run_outlook& outlook, const planner_thresholds& by) {
  const bool feeds = choice == device_choice::cpu_gpu && pool_feeds_devices(outlook, by);
  const bool pools = choice == device_choice::cpu_gpu && !feeds;
  device_plan plan{.pools = pools, .devices = {}, .note = {}};
  if (pools && ends_before_start(outlook)) {
    plan.note = std::string(no_device_text) +
                "it is still being started, and the CPU alone is expected to take " +
                seconds_text(*outlook.pool_seconds);
    return plan;
  }
  std::string problem;
  for (const device_offer& one : offers) {
    if (pools && one.from->is_built() && one.has_code && add_unlisted(plan, *one.from, outlook.gpus))
      continue;
    const device_list& found = one.from->list();
    if (found.devices.empty() || one.has_code) {
      add_clause(problem, found.reason);
    } else {
      add_clause(problem, one.from->no_code_reason());
    }
    if (!one.has_code) continue;
    add_devices(plan, *one.from, outlook.gpus);
    add_clause(plan.note, found.reason);
    if (found.devices.empty()) continue;
    if (const std::string clause = missing(found.devices, outlook.gpus); !clause.empty())
      throw no_device_for(clause);
  }
  if (plan.devices.empty()) throw no_device_for(problem);
  if (feeds) add_clause(plan.note, feeds_text(outlook));
  return plan;
}

}  // namespace

device_unavailable no_device_for(const std::string& problem) {
  return device_unavailable("no GPU can be used: " + problem +
                            "; use --device cpu or auto to run on the CPU");
}

device_unavailable no_device_for_share(std::string_view note) {
  if (note.starts_with(no_device_text)) note.remove_prefix(no_device_text.size());
  return device_unavailable(
      "GPUs were given a share, and none takes part" + std::string(note.empty() ? "" : ": ") +
      std::string(note) +
      "; leave out the share (--share) to run on the CPU, or say --device cpu+gpu to use a GPU "
      "that does not pay");
}

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
  return plan_as_demanded(choice, offers, outlook, by);
}

}  // namespace duomap::scheduler
