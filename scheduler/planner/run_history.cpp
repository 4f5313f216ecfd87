// Answers the planner from profiles and from this process's history, and adds each run to both.
#include "scheduler/planner/run_history.hpp"

#include "core/engine_kind.hpp"
#include "core/path_problem.hpp"
#include "scheduler/history/program_build.hpp"

#include <algorithm>
#include <ctime>
#include <string_view>
#include <utility>

namespace duomap::scheduler {
namespace {

// The identifier is read once, because reading it takes longer than a small run. It is never destroyed,
// because at the end of the process a thread may still run a job and use it.
const std::string& this_program() {
  static const std::string& build = *new std::string(program_build());
  return build;
}

}  // namespace

profile_options profile_options_of(const run_options& options) {
  if (options.profiles.empty()) return {options.learn ? profile_access::in_process : profile_access::off, {}};
  return {options.learn ? profile_access::read_write : profile_access::read_only, options.profiles};
}

identity machine_part_of(const listed_device& device, const host_provider& host) {
  return {device.id,
          {{"device", device.model},
           {"pci", device.bus},
           {"link", device.link},
           {"driver", device.driver},
           {"processor", host.processor()}}};
}

run_history::run_history(const run_options& options, const host_provider& host, std::string task,
                         unsigned workers, std::uint64_t units)
  : options_(options),
    host_(host),
    workers_(workers),
    units_(units),
    run_key_(std::move(task)),
    name_size_(run_key_.size()) {
  if (knows_nothing()) return;
  run_key_ += ' ';
  run_key_ += std::to_string(workers);
  if (options.gpu.engine) run_key_ += " " + std::string(name(*options.gpu.engine));
  if (options.gpu.block_tables) run_key_ += " " + std::to_string(*options.gpu.block_tables) + " block tables";
  solo_ = executor_set_history::of_this_process().pools(run_key_, units);
  if (is_settled()) return;
  const executor_model pool = profile().models(std::span(&pool_, 1))[0];
  if (pool.known()) pool_model_ = pool;
}

std::optional<double> run_history::pool_seconds() const {
  // This process's own runs count more than the model. The model does not know that some workers have no
  // grain if there are few grains.
  if (solo_) return solo_->seconds;
  if (!pool_model_ || !pool_model_->trusted) return std::nullopt;
  const double seconds = seconds_of(*pool_model_);
  // A short run may take many times as long per unit as a long one. Its model says only that a run is short.
  if (pool_model_->at_most && seconds >= measured_thresholds.cold_seconds()) return std::nullopt;
  return seconds;
}

std::optional<stream_forecast> run_history::streams() const {
  if (!pool_model_ || !pool_model_->trusted || !(pool_model_->read_seconds_per_unit > 0)) return std::nullopt;
  const auto device = task_ ? task_->device_seconds_per_unit() : std::nullopt;
  return stream_forecast{.read = pool_model_->read_seconds_per_unit,
                         .map = pool_model_->seconds_per_unit,
                         .device = device.value_or(1 / measured_thresholds.machine.link_bytes_per_second)};
}

start_outlook run_history::start(std::uint64_t bytes) const {
  if (knows_nothing()) return {};
  auto& process = start_account::of_this_process();
  start_outlook account{
      .start = process.start_seconds([&] {
        return start_seconds_of(machine_history(profile_options_of(options_), std::time(nullptr)).profile());
      }),
      .spent = process.spent(),
      .missed = process.missed(),
      .saved = process.saved(),
      .worked = process.worked()};
  if (const auto pool = pool_seconds()) account.coming = std::max(0.0, *pool - device_seconds(bytes));
  if (task_) account.expected = task_->worth(units_);
  if (task_ && task_->device_seconds_per_unit()) account.device_seconds = device_seconds(bytes);
  return account;
}

// The believed time of devices for the run. If no device ever ran the task, it is the time of the input over
// the link, and too short for slow devices. Such a device costs the process at most one needless start.
double run_history::device_seconds(std::uint64_t bytes) const {
  const double link = static_cast<double>(bytes) / measured_thresholds.machine.link_bytes_per_second;
  const auto known = task_ ? task_->device_seconds_per_unit() : std::nullopt;
  return known ? std::max(link, *known * static_cast<double>(units_)) : link;
}

executor_set_choice run_history::executor_set(std::uint64_t bytes) const {
  if (knows_nothing()) return {};
  std::optional<double> pools_seconds;
  if (pool_model_) {
    // A model from short runs is not exact enough to be trusted, but it shows whether a try is hopeless.
    pools_seconds = seconds_of(*pool_model_);
  } else if (bytes > 0 && bytes < measured_thresholds.warm_bytes) {
    // Pools of unknown speed are tried with few bytes, because `auto` gives them such runs in any case.
    pools_seconds = 0;
  }
  return executor_set_history::of_this_process().choose(run_key_, units_, pools_seconds);
}

void run_history::use(std::span<const planned_device> devices) {
  devices_.assign(devices.begin(), devices.end());
  if (!devices_.empty()) machine_.emplace(profile_options_of(options_), std::time(nullptr));
}

std::span<const machine_figure> run_history::figures_of(const listed_device& device) const {
  const machine_part* const part = machine_ ? find(machine_->profile(), device.id) : nullptr;
  return part == nullptr ? std::span<const machine_figure>() : std::span(part->figures);
}

believed_models run_history::models(bool pools, bool bytes) {
  believed_models believed;
  if (pools) believed.pool.emplace();
  believed.devices.resize(devices_.size());
  if (knows_nothing()) return believed;
  if (learns_nothing()) {
    believed.pool = executor_model{.seconds_per_unit = solo_->seconds_per_unit};
    return believed;
  }
  task_history& known = profile();
  name_executors(pools, bytes);
  std::vector<executor_model> models = known.models(executors_);
  const std::span devices = std::span(models).last(devices_.size());
  if (machine_) machine_->complete(devices, parts_);
  believe_what_devices_took(devices);
  if (pools) believed.pool = models.front();
  believed.devices.assign(devices.begin(), devices.end());
  return believed;
}

void run_history::name_executors(bool pools, bool bytes) {
  parts_ = {.bytes = bytes};
  executors_.clear();
  if (pools) executors_.push_back(pool_);
  for (const planned_device& one : devices_) {
    const listed_device& device = *one.device.is;
    executors_.push_back({device.label,
                          {{"program", this_program()},
                           {"device", device.model},
                           {"pci", device.bus},
                           {"driver", device.driver}}});
    parts_.are.push_back(machine_part_of(device, host_));
    parts_.cold.push_back(!one.from->is_started(device.index));
  }
}

// If the run has listed its unlisted devices meanwhile, adds their names. False: it has not.
bool run_history::name_unlisted(const run_plan& plan) {
  if (!plan.unlisted) return true;
  for (planned_device& one : devices_) {
    if (!one.from->unlisted().empty()) return false;
    const auto& all = one.from->list().devices;
    const auto found = std::find_if(
        all.begin(), all.end(), [&](const listed_device& its) { return its.index == one.device.is->index; });
    if (found == all.end()) return false;
    one.device.is = &*found;
  }
  name_executors(plan.pools, parts_.bytes);
  return true;
}

void run_history::learn(const run_plan& plan, const run_report& report, double seconds) {
  if (!may_learn()) return;
  learn_worth(plan, report, seconds);
  learn_speeds(plan, report);
  learn_executor_set(plan, report, seconds);
}

std::string run_history::problem() const {
  if (!task_ || !task_->could_not_store()) return {};
  return "the speed of this run is not stored for other processes: " + quoted(options_.profiles) +
         " cannot be written; make it a folder that can, name another (run_options::profiles, --profile "
         "FOLDER), or store nothing (--profile read-only)";
}

double run_history::seconds_of(const executor_model& pool) const {
  const double solo = pool.solo_seconds_per_unit;
  return static_cast<double>(units_) * (solo > 0 ? solo : pool.seconds_per_unit);
}

// Whether the pool alone has already done runs like this, and they are too short to change its profile.
bool run_history::is_settled() const {
  return solo_ && solo_->seconds < measured_thresholds.least_lesson_seconds;
}

// A profile from runs beside busy workers may be several times too slow, and very short runs leave no
// profile. Both made chunks too small (decision 1). So the times in this process limit the models.
void run_history::believe_what_devices_took(std::span<executor_model> models) const {
  const auto took = executor_set_history::of_this_process().devices(run_key_, units_);
  if (!took) return;
  const double at_most = *took / static_cast<double>(units_) * static_cast<double>(models.size());
  for (executor_model& one : models) {
    for (double* const seconds : {&one.seconds_per_unit, &one.solo_seconds_per_unit})
      *seconds = *seconds > 0 ? std::min(*seconds, at_most) : at_most;
  }
}

// Adds to the account the time that devices saved in the run, or would have saved.
void run_history::learn_worth(const run_plan& plan, const run_report& report, double seconds) const {
  auto& account = start_account::of_this_process();
  account.spent(seconds);
  double worked = 0;
  bool used = false;
  for (const executor_report& one : report.executors) {
    if (one.kind != executor_kind::device || one.units == 0) continue;
    used = true;
    worked = std::max(worked, one.busy_seconds - one.start_seconds);
  }
  account.worked(worked);
  if (used) {
    if (const auto pool = pool_seconds()) account.saved(std::max(0.0, *pool - seconds));
  } else if (plan.account && !plan.account->ready && report.units == plan.addressable_units) {
    account.missed(std::max(0.0, seconds - device_seconds(plan.direct_bytes)));
  }
}

// Adds times of reading to the reports of a run of streams only. If the pool mapped, it read in the time that
// mapping did not take. If the pool fed devices, they took as long as the run, unless it started them.
std::vector<executor_report> run_history::measured_with_reading(const run_plan& plan,
                                                                const run_report& report) const {
  std::vector<executor_report> all = report.executors;
  if (!plan.streams_only || (plan.pools && all.size() > 1) || report.units == 0) return all;
  const auto units = static_cast<double>(report.units);
  // If the run was disturbed, the workers' medians may explain all of the time. Then reading is believed to
  // be as fast as a link.
  const double least = units / measured_thresholds.machine.link_bytes_per_second;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (plan.pools) {
      all[i].copy_seconds = std::max(least, report.map_seconds - all[i].seconds_per_unit * units);
    } else {
      all[i].seconds_per_unit = parts_.cold[i] ? 0 : report.map_seconds / units;
      all[i].alone_seconds_per_unit = all[i].seconds_per_unit;
    }
  }
  return all;
}

void run_history::learn_speeds(const run_plan& plan, const run_report& report) {
  if (learns_nothing()) return;
  const bool named = name_unlisted(plan);
  profile().learn(measured_with_reading(plan, report), executors_, report.map_seconds,
                  start_account::of_this_process().worth());
  if (!machine_ || !named || report.map_seconds < measured_thresholds.least_lesson_seconds) return;
  // A run waits for a background start only at its end, so its own measurement of the start does not count.
  for (std::size_t i = 0; i < devices_.size(); ++i) {
    const double took = devices_[i].from->background_start_seconds();
    if (took > 0) parts_.cold[i] = false;
    parts_.started_in.push_back(took);
  }
  const bool all_started =
      std::all_of(parts_.started_in.begin(), parts_.started_in.end(), [](double one) { return one > 0; });
  if (!all_started || !start_account::of_this_process().learns_start()) parts_.started_in.clear();
  machine_->learn(report.executors, parts_);
}

// Remembers the time of the whole run, and the kinds of executors that took part. Runs of streams are left
// out, because the pool reads them in any case.
void run_history::learn_executor_set(const run_plan& plan, const run_report& report, double seconds) const {
  if (!plan.comparable || report.degraded || report.units != plan.addressable_units) return;
  executor_set_run run{.seconds = seconds};
  for (const executor_report& one : report.executors) {
    if (one.kind == executor_kind::device)
      run.device_seconds = std::max({run.device_seconds, one.copy_seconds, one.compute_seconds});
    if (one.kind != executor_kind::pool) continue;
    run.pools_part = static_cast<double>(one.units) / static_cast<double>(report.units);
    run.seconds_per_unit = one.seconds_per_unit;
  }
  const auto set = plan.devices.empty() ? scheduler::executor_set::pools
                   : plan.pools         ? plan.chosen
                                        : scheduler::executor_set::devices;
  auto& all = executor_set_history::of_this_process();
  if (set != scheduler::executor_set::pools && all.is_first_with_devices(run_key_)) return;
  all.record(run_key_, units_, set, run);
}

task_history& run_history::profile() {
  if (task_) return *task_;
  pool_ = {
      "cpu",
      {{"program", this_program()}, {"processor", host_.processor()}, {"workers", std::to_string(workers_)}}};
  return task_.emplace(profile_store(profile_options_of(options_)), run_key_.substr(0, name_size_),
                       std::time(nullptr));
}

}  // namespace duomap::scheduler
