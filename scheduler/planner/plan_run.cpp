// Makes the plan of a run in seven steps, from the pool's expected time to the solo warm-up.
#include "scheduler/planner/plan_run.hpp"

#include "core/host_provider.hpp"
#include "core/seconds_text.hpp"
#include "scheduler/history/start_account.hpp"
#include "scheduler/planner/further_devices.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <utility>

namespace duomap::scheduler {
namespace {

// The time for which the pool waits for devices; 0: it starts together with them.
//
// If a task does much work for few bytes, a worker takes long for a grain. If devices are several times as
// fast, a worker's first grain would end after everything else. The shorter the run, the more that costs.
double wait_for_faster_devices(const time_estimate& believed, const run_outlook& outlook, std::size_t devices,
                               const planner_thresholds& by) {
  const double devices_seconds = believed.device_seconds / static_cast<double>(devices);
  const double several = devices_seconds < by.short_run_seconds ? by.much_faster_when_short : by.much_faster;
  if (!(several * devices_seconds < outlook.pool_seconds.value_or(0))) return 0;
  return (outlook.started ? by.warm_patience_seconds() : by.cold_patience_seconds()) +
         by.patience * devices_seconds;
}

// The length of the solo warm-up, in which the pool is held back and started devices are measured; 0: there
// is none. Busy workers make the copies of devices several times slower, so that devices seem useless. A
// speed from co-runs alone, in which runs were too short for a warm-up, is just as wrong: an H200 was left
// out of runs of 1 GB, which then took four times as long.
double solo_warm_up_seconds(std::span<const executor_model> devices, const run_outlook& outlook,
                            const planner_thresholds& by) {
  const auto seen_solo = [](const executor_model& one) {
    return one.known() && one.solo_seconds_per_unit > 0;
  };
  if (std::all_of(devices.begin(), devices.end(), seen_solo)) return 0;
  const double link_seconds = static_cast<double>(outlook.direct_bytes) / by.machine.link_bytes_per_second;
  const double look =
      std::min(by.warm_patience_seconds(), outlook.pool_seconds ? by.tried_part * *outlook.pool_seconds
                                                                : by.look_part_of_link * link_seconds);
  return look < by.least_warm_up_seconds ? 0 : look;
}

// The number of threads that drive the devices of a run or feed them.
unsigned device_threads_of(const run_plan& plan, unsigned cores, bool in_place) {
  unsigned threads = 0;
  std::map<const device_provider*, unsigned> devices_of;
  for (const planned_device& one : plan.devices) ++devices_of[one.from];
  for (const auto& [from, devices] : devices_of)
    threads += devices * ((in_place ? 0 : from->feeding_threads(cores, devices)) + 1);
  return threads;
}

// Fills in the models of executors of unknown speed from the task's estimate.
void believe_estimate(believed_models& models, const time_estimate& estimate, std::uint64_t units) {
  if (units == 0) return;
  const auto believe = [&](executor_model& model, double seconds) {
    if (model.known()) return;
    model.seconds_per_unit = seconds / static_cast<double>(units);
    model.trusted = false;
  };
  if (models.pool) believe(*models.pool, estimate.pool_seconds);
  for (executor_model& one : models.devices) believe(one, estimate.device_seconds);
}

// Whether a run is long enough to pay for a start of devices by itself. If their speed is known, only savings
// after the start count, and they must pay for the end of the context.
bool pays_solo(const run_outlook& outlook, const start_outlook& account, const planner_thresholds& by) {
  if (!outlook.pool_seconds) return outlook.direct_bytes >= by.cold_bytes_per_worker() * outlook.workers;
  if (!account.device_seconds) return *outlook.pool_seconds >= by.cold_seconds();
  return saved_during_start(*outlook.pool_seconds, *account.device_seconds, account.start, by) >=
         by.machine.context_end_seconds;
}

// The time after which a run of unknown length starts devices. By then the process has missed the savings
// that pay for a start, even if it ends soon.
double pays_after(const run_outlook& outlook, const start_outlook& account, const planner_thresholds& by) {
  const double link_seconds = static_cast<double>(outlook.direct_bytes) / by.machine.link_bytes_per_second;
  return saved_before_start(start_cost(account.start, by), by) - account.missed + link_seconds;
}

device_account account_of(const start_outlook& known, bool ready, const planner_thresholds& by) {
  return {.spent = known.spent,
          .missed = known.missed,
          .saved = known.saved,
          .coming = known.coming,
          .expected = known.expected,
          .start = start_cost(known.start, by),
          .ready = ready};
}

// Starts devices in the background of the run if that pays. A caller that demands devices wants them soon. A
// process has paid for a start if devices would have shortened its runs by the cost of a start. A long run
// pays for a start alone. `most`: the number of devices that pay for their starts.
void start_devices(run_plan& plan, const run_options& options, const run_outlook& outlook,
                   const start_outlook& known, std::size_t most, const available_machine& machine,
                   const planner_thresholds& by) {
  bool start = options.device != device_choice::automatic || (outlook.started && most > 1);
  if (options.device == device_choice::automatic) {
    const bool pays = start_pays(known, by) || pays_solo(outlook, known, by);
    start = start || (pays && !outlook.started);
    if (!pays && !outlook.pool_seconds) plan.start_after_seconds = pays_after(outlook, known, by);
    plan.account = account_of(known, outlook.started, by);
  }
  bool possible = false;
  for (const device_offer& one : machine.devices) {
    if (one.from->is_built() && one.has_code)
      possible |= start ? one.from->start_in_background(options.gpus, most) : one.from->may_have_any();
  }
  plan.begins_start = start && possible;
  if (!possible) plan.account.reset();
  if (plan.account) plan.account->started = start && !outlook.started;
}

// The remaining seconds of a start in the background. No value: none is going on.
std::optional<double> start_seconds_left(std::span<const device_offer> offers) {
  for (const device_offer& one : offers) {
    if (!one.from->is_built() || !one.has_code) continue;
    if (const auto left = one.from->start_seconds_left()) return left;
  }
  return std::nullopt;
}

// What must happen before devices are used, as the end of a sentence.
std::string what_it_takes(const device_account& account, const planner_thresholds& by) {
  if (account.ready) return "";
  if (account.started) return "; it is being started during this run, for the next runs";
  return "; this process starts it when its runs would have taken " +
         seconds_text(saved_before_start(account.start, by)) + " less with it (so far " +
         seconds_text(account.missed) + ")";
}

}  // namespace

run_plan plan_run(const task_traits& task, run_outlook outlook, const available_machine& machine,
                  planning_history& history, const run_options& options, const planner_thresholds& by) {
  // 1. How long does the pool take alone, by measurements or by the task's estimate?
  outlook.gpus = options.gpus;
  outlook.pool_seconds = history.pool_seconds();
  if (!outlook.pool_seconds && task.estimate) outlook.pool_seconds = task.estimate->pool_seconds;

  if (outlook.stream_bytes >= by.warm_bytes) {
    outlook.streams = history.streams();
    if (outlook.streams)
      outlook.pool_seconds = outlook.streams->pools() * static_cast<double>(outlook.stream_bytes);
  }

  // 2. Are devices to be started during the run, and which devices are offered to it?
  run_plan plan;
  plan.addressable_units = outlook.addressable_units;
  plan.direct_bytes = outlook.direct_bytes;
  const bool may_start = options.device != device_choice::cpu && outlook.addressable_units > 0;
  const start_outlook known = may_start ? history.start(outlook.direct_bytes) : start_outlook{};
  std::optional<double> coming = known.device_seconds;
  if (!coming && task.estimate) coming = task.estimate->device_seconds;
  const std::size_t most = devices_that_pay(known.worked + coming.value_or(0), start_cost(known.start, by));
  if (may_start) start_devices(plan, options, outlook, known, most, machine, by);
  // In a split by hand, devices do their shares whenever they are ready.
  const bool shared_as_measured = options.share.policy == share_policy::automatic;
  if (options.device != device_choice::cpu && !outlook.started && shared_as_measured)
    outlook.start_seconds_left = start_seconds_left(machine.devices);
  device_plan offered = plan_devices(options.device, machine.devices, outlook, by);
  const bool gives_share = options.share.policy == share_policy::by_hand && options.share.gpu_share > 0;
  if (gives_share && options.device == device_choice::automatic && offered.devices.empty())
    throw no_device_for_share(offered.note);
  plan.pools = offered.pools;
  plan.devices = std::move(offered.devices);
  // If the devices' time is not known, the run itself finds out whether another start pays
  // (scheduler/dispatch/dispatcher/device_start.hpp).
  if (coming && shared_as_measured) leave_out_further(plan.devices, most, 0, known, plan.notes, by);
  plan.streams_only = outlook.stream_bytes > 0;
  plan.repeats_without_devices =
      plan.streams_only && !plan.pools && options.device != device_choice::gpu && !options.strict;
  plan.unlisted = offered.unlisted;
  plan.begins_start = plan.begins_start || (!outlook.started && !plan.devices.empty());
  plan.demanded = options.device == device_choice::cpu_gpu;
  if (plan.unlisted && plan.demanded) {
    plan.note_if_unlisted = over_before_started;
  } else if (plan.unlisted) {
    plan.note_if_unlisted = "no GPU used: the run was over before starting one was worth it" +
                            (plan.account ? what_it_takes(*plan.account, by) : "");
  }
  if (!offered.note.empty()) {
    if (plan.account) offered.note += what_it_takes(*plan.account, by);
    plan.notes.push_back(std::move(offered.note));
  }

  // 3. Did whole runs of this size take less time without the pool, or without devices? Such runs do not tell
  // whether starting a device pays.
  plan.comparable = shared_as_measured && (outlook.started || plan.devices.empty());
  if (options.device != device_choice::gpu && plan.pools && plan.comparable && !plan.devices.empty()) {
    const executor_set_choice choice = history.executor_set(outlook.direct_bytes);
    plan.chosen = choice.set;
    plan.hold_back_seconds = choice.hold_back_seconds;
    if (choice.set == executor_set::pools) plan.devices.clear();
    if (std::string why = reason_of(choice); !why.empty()) plan.notes.push_back(std::move(why));
  }

  // 4. Does the pool wait because the task says that devices are much faster?
  const bool share = shared_as_measured && plan.pools && !plan.devices.empty();
  if (share && plan.chosen == executor_set::both) {
    plan.hold_back_seconds =
        task.estimate ? wait_for_faster_devices(*task.estimate, outlook, plan.devices.size(), by) : 0;
  }

  // 5. Which workers leave their cores to devices, and which cores are near the devices?
  if (!plan.devices.empty()) {
    const unsigned cores = machine.host.cores();
    plan.idle = idle_workers(outlook.workers, cores, device_threads_of(plan, cores, outlook.in_place));
    history.use(plan.devices);
    for (planned_device& one : plan.devices) {
      one.device.near_cores = machine.host.cores_near(one.device.is->bus, history.figures_of(*one.device.is));
      one.device.alone = !plan.pools || plan.chosen == executor_set::devices;
    }
  }

  if (outlook.start_seconds_left && (!plan.devices.empty() || ends_before_start(outlook)))
    plan.reserved = outlook.workers >= by.workers_during_start ? 1 : 0;

  // 6. How fast is each executor believed to be?
  plan.models = history.models(plan.pools, outlook.direct_bytes > 0);
  if (task.estimate) believe_estimate(plan.models, *task.estimate, outlook.addressable_units);

  // If no device is started yet, there is no warm-up (step 7). A speed that was measured only beside workers
  // may be several times too low. So devices with such a speed are measured again in the run.
  if (!outlook.started) {
    for (executor_model& one : plan.models.devices)
      one.trusted = one.trusted && one.solo_seconds_per_unit > 0;
  }

  // 7. Does the pool wait while devices are measured alone?
  if (share && outlook.started) {
    const double look = solo_warm_up_seconds(plan.models.devices, outlook, by);
    plan.solo_warm_up = look > plan.hold_back_seconds;
    plan.hold_back_seconds = std::max(look, plan.hold_back_seconds);
  }
  return plan;
}

}  // namespace duomap::scheduler
