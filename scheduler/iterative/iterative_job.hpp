// Runs a task again and again over data that stays in its place, each time with new state of the task.
// Programs include it beside duomap.hpp.
#pragma once

#include "core/add_note.hpp"
#include "core/error.hpp"
#include "core/input/input.hpp"
#include "core/input/resident_input.hpp"
#include "core/iterative_report.hpp"
#include "core/result.hpp"
#include "core/run_options.hpp"
#include "core/task.hpp"
#include "core/task_check.hpp"
#include "core/worker_pool.hpp"
#include "scheduler/iterative/iteration.hpp"
#include "scheduler/iterative/started_ahead.hpp"
#include "scheduler/planner/executor_kinds.hpp"
#include "scheduler/planner/resident_plan.hpp"
#include "scheduler/planner/task_traits.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace duomap {

/// A task whose state changes from step to step while its data stays, as in k-means:
///
///   duomap::iterative_job job(task, points);
///   for (int step = 0; step < 100; ++step) {
///     const auto sums = job.step(task);
///     move_centres(task, sums);
///   }
///
/// The data is split between the CPU's workers and the GPUs that pay for their starts
/// (scheduler/planner/resident_plan.hpp). Each GPU keeps its part in its memory, and the CPU reads the rest
/// in host memory. The times of the steps decide the split (resident_split.hpp). It changes for a promised
/// gain of at least 2 %, and then only the difference is copied. An executor that does not help gets nothing,
/// and report() says why. If a GPU is full or lost, the others do its part.
///
/// A task is iterated on GPUs if it has code for that (gpu/make_resident.hpp). Otherwise it runs on the CPU.
///
/// Only one thread at a time may use a job. The job changes that thread's current CUDA device.
template <class Task, class Kinds = registered_kinds>
class iterative_job {
  static_assert(require_task<Task>());

 public:
  /// `from` and `pool` (cpu::machine_pool) must outlive the job. `from` has one source: memory, a file, a
  /// stream (which is read into memory here), or an index range. The task of every step must have the same
  /// format, number of keys and sizes of arrays as this one.
  /// @throws usage_error when `from` has several sources, or options.gpu has an engine or block tables;
  /// device_unavailable, input_error, out_of_memory
  iterative_job(const Task& task, const input& from, worker_pool& pool, const run_options& options = {})
    : pool_(pool), data_(from, is_binary<typename Task::format>), steps_(make(task, options)) {}

  /// Uses a pool of its own, with options.threads workers; 0: one for each core of the process.
  iterative_job(const Task& task, const input& from, const run_options& options = {})
    : own_pool_(Kinds::pool::make_pool(options.threads)),
      pool_(*own_pool_),
      data_(from, is_binary<typename Task::format>),
      steps_(make(task, options)) {}

  /// Starts the GPUs in the background while the caller prepares a job, if that job would start them at once.
  /// The job has data of `units` units and `expected_steps` steps, and `of_a_step` is the time of a step. The
  /// caller keeps the returned object until the job is made.
  [[nodiscard]] static scheduler::started_ahead<Kinds> start_ahead(device_choice device,
                                                                   std::span<const int> gpus,
                                                                   std::uint64_t units, unsigned workers,
                                                                   const scheduler::time_estimate& of_a_step,
                                                                   std::uint32_t expected_steps) {
    scheduler::started_ahead<Kinds> started;
    if (device == device_choice::cpu) return started;
    const scheduler::resident_start start = scheduler::plan_resident_start(
        device, Kinds::any_started(), units, workers, of_a_step, expected_steps);
    if (start.at_once) started.template start<Task>(gpus, start.most_devices);
    return started;
  }

  iterative_job(const iterative_job&) = delete;
  iterative_job& operator=(const iterative_job&) = delete;
  ~iterative_job() { scheduler::note_worked(steps_->seconds_on_devices()); }

  /// Maps and reduces all data once, with the present state of the task. Integers do not depend on the split.
  /// Floating-point sums may differ in rounding.
  /// @throws out_of_memory, device_lost when no executor is left for the work, interrupted, and the
  /// exceptions of map; the job can go on with another step. input_error when the data's file was changed.
  [[nodiscard]] result_for<Task> step(const Task& task) {
    return within_memory([&] {
      auto partial = steps_->step(task);
      if (data_.get().size() > 0) change_ = data_.get()[0].change();
      return make_result(task, std::move(partial), steps_->merging());
    });
  }

  /// Brings each executor the data of the next step or pass. Meanwhile it calls `meanwhile` on this thread,
  /// which may use the job's pool. The argument of `meanwhile` is the number of devices that still get data
  /// from threads that need cores. Uses only the properties of `task` that all steps share. Returns when both
  /// have ended.
  /// @throws as step(), and the exceptions of `meanwhile`
  void place(const Task& task, const std::function<void(const std::atomic<unsigned>& devices)>& meanwhile) {
    within_memory([&] { steps_->place(task, meanwhile); });
  }

  /// Runs another task once over the same rows, for example to make the first state. Each executor maps the
  /// part that it maps in steps. Uses only the properties of `task` that all steps share. Devices need
  /// resident code for both tasks.
  /// @throws as step()
  template <map_reduce_task Other>
  [[nodiscard]] result_for<Other> pass(const Task& task, const Other& other) {
    scheduler::iteration_parts<Other> how;
    how.make_pool = [](const Other& with, worker_pool& on) {
      return Kinds::pool::make_backend(with, on);
    };
    const auto loop_on = [&](const scheduler::resident_device<Task>& device) {
      std::unique_ptr<resident_loop<Other>> loop;
      Kinds::for_each_device_kind([&]<class Kind>(Kind) {
        if constexpr (Kind::template has_resident_code<Other>) {
          if (device.from == &Kind::provider()) loop = Kind::make_resident(other, device.index);
        }
      });
      return loop;
    };
    return within_memory([&] {
      auto partial = steps_->pass(task, other, how, loop_on);
      return make_result(other, std::move(partial), steps_->merging());
    });
  }

  /// Sets the GPUs' share of the data from the next step on. The GPUs get equal parts, and the job no longer
  /// changes the share.
  /// @throws usage_error when the options leave out the CPU or the GPUs that get a share; device_unavailable
  /// when there is no GPU
  void share_by_hand(double gpu_share) { steps_->share_by_hand(gpu_share); }

  /// The report on the steps so far, with reasons. scheduler::explain() writes it as lines.
  [[nodiscard]] iterative_report report() const {
    iterative_report all = steps_->report();
    add_note(all.notes, change_);
    return all;
  }

 private:
  [[nodiscard]] std::unique_ptr<scheduler::iteration<Task>> make(const Task& task,
                                                                 const run_options& options) {
    if (options.gpu.engine || options.gpu.block_tables)
      throw usage_error("an iterative job has one engine: leave out the options of GPUs' engines");
    scheduler::iteration_parts<Task> parts;
    if (options.device != device_choice::gpu) {
      parts.make_pool = [](const Task& with, worker_pool& on) {
        return Kinds::pool::make_backend(with, on);
      };
    }
    const auto estimate = scheduler::estimate_of(task, data_.units(), pool_.workers());
    if (estimate) parts.pool_seconds = estimate->pool_seconds;
    std::size_t most_devices = every_device;
    if (options.device != device_choice::cpu) {
      const scheduler::resident_start start =
          scheduler::plan_resident_start(options.device, Kinds::any_started(), data_.units(), pool_.workers(),
                                         estimate, options.steps.expected);
      parts.start_seconds = start.start_seconds;
      parts.copy_bytes_per_second = start.copy_bytes_per_second;
      parts.start_at_once = start.at_once;
      most_devices = start.most_devices;
      parts.start_beside = [this, gpus = options.gpus, most_devices] {
        started_.template start<Task>(gpus, most_devices);
      };
      parts.start_seconds_left = scheduler::started_ahead<Kinds>::seconds_left;
      parts.has_device_code = false;
      Kinds::for_each_device_kind([&]<class Kind>(Kind) {
        if (Kind::provider().is_built() && Kind::template has_resident_code<Task>)
          parts.has_device_code = true;
      });
    }
    if (options.device == device_choice::automatic) {
      // The devices are listed only when they are needed, because that takes tens of milliseconds.
      parts.find_devices = [this, gpus = options.gpus, most_devices](std::vector<std::string>& notes) {
        return devices(device_choice::automatic, gpus, most_devices, notes);
      };
    } else if (options.device != device_choice::cpu) {
      std::vector<std::string> found_notes;
      auto found = devices(options.device, options.gpus, most_devices, found_notes);
      parts.find_devices = [found = std::move(found),
                            found_notes = std::move(found_notes)](std::vector<std::string>& notes) {
        notes.insert(notes.end(), found_notes.begin(), found_notes.end());
        return found;
      };
    }
    return within_memory([&] {
      return std::make_unique<scheduler::iteration<Task>>(task, data_.get(), std::move(parts), pool_,
                                                          options);
    });
  }

  [[nodiscard]] std::vector<scheduler::resident_device<Task>> devices(device_choice choice,
                                                                      std::span<const int> gpus,
                                                                      std::size_t most,
                                                                      std::vector<std::string>& notes) const {
    std::vector<scheduler::resident_device<Task>> all;
    std::string problem;
    bool possible = false;
    Kinds::for_each_device_kind([&]<class Kind>(Kind) {
      if (!Kind::provider().is_built()) return;
      if (Kind::template has_resident_code<Task>)
        possible = true;
      else
        problem = Kind::no_resident_code_reason;
    });
    if (!possible && !problem.empty()) {
      if (choice != device_choice::automatic) throw device_unavailable("no GPU can be used: " + problem);
      notes.push_back("no GPU used: " + problem);
      return all;
    }
    for (const scheduler::planned_device& one : scheduler::plan_resident_devices(
             choice, Kinds::template resident_offers<Task>(), notes, gpus, most, data_.units())) {
      Kinds::for_each_device_kind([&]<class Kind>(Kind) {
        if constexpr (Kind::template has_resident_code<Task>) {
          if (one.from != &Kind::provider()) return;
          const int index = one.device.is->index;
          all.push_back({one.device.is->label,
                         [index](const Task& task) { return Kind::make_resident(task, index); }, one.from,
                         index});
        }
      });
    }
    return all;
  }

  std::unique_ptr<worker_pool> own_pool_;
  worker_pool& pool_;
  resident_input data_;
  std::string change_;  ///< a change of the data's file that the last step noticed
  scheduler::started_ahead<Kinds> started_;
  std::unique_ptr<scheduler::iteration<Task>> steps_;
};

}  // namespace duomap
