// What a run is told of its task and its machine by profiles, and what it leaves there.
// host only
#pragma once

#include "core/executor.hpp"
#include "core/job_options.hpp"
#include "core/report.hpp"
#include "core/task.hpp"
#include "cpu/affinity.hpp"
#include "cpu/cores.hpp"
#include "cpu/near_cores.hpp"
#include "cpu/numa_node.hpp"
#include "cpu/processor.hpp"
#include "cpu/topology.hpp"
#include "gpu/device/availability.hpp"
#include "gpu/device/device.hpp"
#include "gpu/device/in_process.hpp"
#include "gpu/device/pci_link.hpp"
#include "gpu/options.hpp"
#include "scheduler/profile/crew_history.hpp"
#include "scheduler/profile/machine_memory.hpp"
#include "scheduler/profile/program_build.hpp"
#include "scheduler/profile/task_memory.hpp"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <typeinfo>
#include <utility>
#include <vector>

namespace duomap {

/// What tells the profile of one task from others. A task whose speed depends on its parameters says so with
/// `std::string profile_parameters() const`. `home`: gpu::data_home().
template <map_reduce_task Task>
[[nodiscard]] std::string profile_name_of(const Task& task, std::string_view home) {
  std::string name;
  name.reserve(128);  // with what a run_memory adds
  name = typeid(Task).name();
  if constexpr (requires {
                  { task.profile_parameters() } -> std::convertible_to<std::string>;
                }) {
    name += ' ';
    name += task.profile_parameters();
  }
  name += ' ';
  return name += home;
}

/// Where a run finds profiles, and whether it may change them.
[[nodiscard]] inline scheduler::profile_options profile_options_of(const job_options& options) {
  using access = scheduler::profile_access;
  if (options.profiles.empty()) return {};
  return {options.learn ? access::read_write : access::read_only, options.profiles};
}

namespace detail {

// Asked for once, because reading them takes longer than a small run.
inline const std::string& this_processor() {
  static const std::string name = cpu::processor_name();
  return name;
}
inline const std::string& this_program() {
  static const std::string build = scheduler::program_build();
  return build;
}
template <class Ask>
const auto& of_device(const gpu::device_info& device, const Ask& ask) {
  static thread_local std::map<std::string, decltype(ask(device.pci_bus))> all;
  const auto [known, fresh] = all.try_emplace(device.pci_bus);
  if (fresh) known->second = ask(device.pci_bus);
  return known->second;
}
inline const std::string& link_of(const gpu::device_info& device) {
  return of_device(device, [](const std::string& bus) { return gpu::pci_link(bus); });
}
inline std::optional<unsigned> node_of(const gpu::device_info& device) {
  return of_device(device, [](const std::string& bus) { return cpu::node_of_pci_device(bus); });
}
// And again when the process may run on other CPUs. 15 to 50 us, where a small run takes an H200 500.
inline const std::vector<cpu::numa_node>& these_nodes() {
  static thread_local std::optional<std::vector<unsigned>> allowed;
  static thread_local std::vector<cpu::numa_node> nodes;
  if (auto now = cpu::allowed_cpus(); now != allowed) {
    nodes = cpu::numa_nodes(now);
    allowed = std::move(now);
  }
  return nodes;
}

}  // namespace detail

/// A GPU as a part of the machine, whatever task runs on it.
[[nodiscard]] inline scheduler::identity machine_part_of(const gpu::device_info& device) {
  return {device.uuid,
          {{"device", device.name},
           {"pci", device.pci_bus},
           {"link", detail::link_of(device)},
           {"driver", std::to_string(gpu::discover().driver_version)},
           {"processor", detail::this_processor()}}};
}

/// The machine without its GPUs.
[[nodiscard]] inline scheduler::identity host_identity() {
  return {"host",
          {{"processor", detail::this_processor()}, {"cores", std::to_string(cpu::usable_cores().cores)}}};
}

/// The cores that should feed each of the GPUs (cpu/near_cores.hpp), by index; none on machines with one NUMA
/// node.
[[nodiscard]] inline gpu::near_cores near_cores_of(const std::vector<gpu::device_info>& gpus,
                                                   const scheduler::machine_profile& known) {
  gpu::near_cores cores;
  const std::vector<cpu::numa_node>& nodes = detail::these_nodes();
  if (nodes.size() < 2) return cores;
  for (const gpu::device_info& one : gpus) {
    const scheduler::machine_part* const part = find(known, one.uuid);
    cores[one.index] = cpu::near_cores(nodes, part == nullptr ? std::vector<machine_figure>{} : part->figures,
                                       [&] { return detail::node_of(one); });
  }
  return cores;
}

/// Connects one run with the profiles of its task and its machine. Used by one thread.
///
/// Of a size that the CPU alone has done a few times in this process, and quickly, the process's own history
/// says all that the next run needs: its profile is neither looked up nor added to, and making the keys for
/// that, the lists of facts and models took 1.5 microseconds, a twentieth of what the shortest runs take.
class run_memory {
 public:
  /// `task`: profile_name_of(); `workers`: the CPU's; `units`: of the input, as far as it is addressable. The
  /// options must outlive it.
  run_memory(const job_options& options, std::string task, unsigned workers, std::uint64_t units)
    : options_(options),
      workers_(workers),
      units_(units),
      alike_(std::move(task)),
      name_size_(alike_.size()) {
    if (knows_nothing()) return;
    alike_ += ' ';
    alike_ += std::to_string(workers);
    if (options.engine) alike_ += " " + std::string(name(*options.engine));
    if (options.block_tables) alike_ += " " + std::to_string(*options.block_tables) + " block tables";
    alone_ = scheduler::crew_history::of_this_process().pools(alike_, units);
    if (is_settled()) return;
    const scheduler::executor_model cpu = profile().models(std::span(&cpu_, 1))[0];
    if (cpu.known()) cpu_model_ = cpu;
  }

  /// What the CPU alone is believed to take; nothing when it is not known.
  [[nodiscard]] std::optional<double> cpu_seconds() const {
    // Of few grains not all workers have one, which the model does not know.
    if (alone_) return alone_->seconds;
    if (cpu_model_ && cpu_model_->trusted) return seconds_of(*cpu_model_);
    return std::nullopt;
  }

  /// Who is to take part when GPUs are offered that have been started before.
  [[nodiscard]] scheduler::crew_choice crew() const {
    if (knows_nothing()) return {};
    // Short runs differ too much for what they show to be trusted, but it says whether a try is hopeless.
    return scheduler::crew_history::of_this_process().choose(
        alike_, units_, cpu_model_ ? std::optional(seconds_of(*cpu_model_)) : std::nullopt);
  }

  /// The GPUs of the run. Returns the cores that should feed them.
  [[nodiscard]] gpu::near_cores use(std::vector<gpu::device_info> gpus) {
    gpus_ = std::move(gpus);
    if (gpus_.empty()) return {};
    machine_.emplace(profile_options_of(options_), std::time(nullptr));
    return near_cores_of(gpus_, machine_->profile());
  }

  /// What is believed of the run's executors, per unit: the CPU first, unless it takes no part, then the GPUs
  /// in their order. `bytes`: what GPUs are given are bytes that have to be brought to them.
  [[nodiscard]] std::vector<scheduler::executor_model> models(std::span<const executor* const> executors,
                                                              bool bytes) {
    if (knows_nothing()) return std::vector<scheduler::executor_model>(executors.size());
    if (learns_nothing()) return {{.seconds_per_grain = alone_->seconds_per_unit}};
    scheduler::task_memory& known = profile();
    devices_ = {.first = executors.size() - gpus_.size(), .bytes = bytes};
    executors_.assign(devices_.first, cpu_);
    for (std::size_t i = 0; i < gpus_.size(); ++i) {
      const gpu::device_info& one = gpus_[i];
      executors_.push_back({executors[devices_.first + i]->name(),
                            {{"program", detail::this_program()},
                             {"device", one.name},
                             {"pci", one.pci_bus},
                             {"driver", std::to_string(gpu::discover().driver_version)}}});
      devices_.are.push_back(machine_part_of(one));
      devices_.cold.push_back(!gpu::in_process(one.index).has_context);
    }
    std::vector<scheduler::executor_model> models = known.models(executors_);
    if (machine_) machine_->complete(models, devices_);
    believe_what_devices_took(std::span(models).subspan(devices_.first));
    return models;
  }

  /// Remembers how long a run took all in all, if it may.
  void learn_crew(scheduler::crew who, const scheduler::crew_run& run) const {
    if (may_learn()) scheduler::crew_history::of_this_process().record(alike_, units_, who, run);
  }

  /// Stores what the run has shown, if it may.
  void learn(const run_report& report) {
    if (!may_learn() || learns_nothing()) return;
    profile().learn(report.executors, executors_, devices_.first, report.map_seconds);
    if (machine_ && report.map_seconds >= scheduler::least_lesson_seconds)
      machine_->learn(report.executors, devices_);
  }

 private:
  [[nodiscard]] double seconds_of(const scheduler::executor_model& cpu) const {
    const double alone = cpu.alone_seconds_per_grain;
    return static_cast<double>(units_) * (alone > 0 ? alone : cpu.seconds_per_grain);
  }

  [[nodiscard]] bool knows_nothing() const { return options_.profiles.empty(); }
  [[nodiscard]] bool may_learn() const { return !knows_nothing() && options_.learn; }
  // The CPU alone has done such runs, in so little time that its profile would learn nothing of them.
  [[nodiscard]] bool is_settled() const {
    return alone_ && alone_->seconds < scheduler::least_lesson_seconds;
  }

  [[nodiscard]] bool learns_nothing() const { return is_settled() && gpus_.empty(); }

  // What was learned of a device beside workers that slowed it down may be several times too slow, and runs
  // that are too short for a profile do not correct it: 128 MiB took an H200 that was believed to do a
  // seventh 5.8 ms, in 15 small chunks, and otherwise 5.0.
  void believe_what_devices_took(std::span<scheduler::executor_model> models) const {
    const auto took = scheduler::crew_history::of_this_process().devices(alike_, units_);
    if (!took) return;
    const double at_most = *took / static_cast<double>(units_) * static_cast<double>(models.size());
    for (scheduler::executor_model& one : models) {
      one.seconds_per_grain = std::min(one.seconds_per_grain, at_most);
      one.alone_seconds_per_grain = std::min(one.alone_seconds_per_grain, at_most);
    }
  }

  scheduler::task_memory& profile() {
    if (task_) return *task_;
    cpu_ = {"cpu",
            {{"program", detail::this_program()},
             {"processor", detail::this_processor()},
             {"workers", std::to_string(workers_)}}};
    return task_.emplace(scheduler::profile_store(profile_options_of(options_)), alike_.substr(0, name_size_),
                         std::time(nullptr));
  }

  const job_options& options_;
  unsigned workers_;
  std::uint64_t units_;
  std::string alike_;                            // what runs have in common that can be compared
  std::size_t name_size_;                        // the task's name is the beginning of that
  std::optional<scheduler::pools_alone> alone_;  // runs like this one
  scheduler::identity cpu_;                      // with task_
  std::optional<scheduler::task_memory> task_;
  std::optional<scheduler::executor_model> cpu_model_;  // as it was before the run
  std::vector<gpu::device_info> gpus_;
  std::optional<scheduler::machine_memory> machine_;
  std::vector<scheduler::identity> executors_;
  scheduler::run_devices devices_;
};

}  // namespace duomap
