// Iterative jobs: a task is run again and again over data that stays where it is, each time with new state.
// Programs include it beside duomap.hpp.
// host only
#pragma once

#include "core/add_note.hpp"
#include "core/error.hpp"
#include "core/input/input.hpp"
#include "core/input/resident_input.hpp"
#include "core/iterative_options.hpp"
#include "core/iterative_report.hpp"
#include "core/result.hpp"
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
/// (scheduler/planner/resident_plan.hpp): each GPU keeps its part in its memory, the CPU
/// reads the rest where it lies. How the data is split follows from what the steps take (resident_split.hpp):
/// it is changed when that promises 2 % at least, and then only the difference is copied. An executor that
/// does not help gets nothing, and report() says why. Of a GPU that is full or lost the others do the part.
///
/// A task is iterated on GPUs when it says so (gpu/make_resident.hpp); others run on the CPU.
///
/// One thread at a time uses a job; its current CUDA device is changed.
template <class Task, class Kinds = registered_kinds>
class iterative_job {
  static_assert(require_task<Task>());

 public:
  /// `from` must outlive the job, and `pool` (cpu::machine_pool) too. `from` has one source: memory, a file,
  /// a stream (which is read into memory here), or an index range. Every step must give the task the same
  /// format, number of keys and sizes of arrays as this one has.
  /// @throws usage_error when `from` has several sources, or options.split is a policy without meaning here;
  /// device_unavailable, input_error, out_of_memory
  iterative_job(const Task& task, const input& from, worker_pool& pool, const iterative_options& options = {})
    : pool_(pool), data_(from, is_binary<typename Task::format>), steps_(make(task, options)) {}

  /// The same on a pool of its own, of as many workers as the process has cores.
  iterative_job(const Task& task, const input& from, const iterative_options& options = {})
    : own_pool_(Kinds::pool::make_pool(0)),
      pool_(*own_pool_),
      data_(from, is_binary<typename Task::format>),
      steps_(make(task, options)) {}

  /// Starts the GPUs beside what the caller does before it makes a job, if that job will start them at once:
  /// of `units` of data, whose steps are estimated to take so long, and `expected_steps` of them. The caller
  /// keeps what is returned until the job is made.
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

  /// Maps and reduces all data once, with the task's state as it is now. Integers do not depend on the split;
  /// floating-point sums may differ in rounding.
  /// @throws out_of_memory, device_lost when nobody can stand in, interrupted, and what map throws; the job
  /// can go on with another step. input_error when the data's file was changed.
  [[nodiscard]] result_for<Task> step(const Task& task) {
    return within_memory([&] {
      auto partial = steps_->step(task);
      if (data_.get().size() > 0) change_ = data_.get()[0].change();
      return make_result(task, std::move(partial), steps_->merging());
    });
  }

  /// Brings the data to where the next step or pass maps them. Beside that it calls `meanwhile` on this
  /// thread, which may use the job's pool, and is told how many devices are still being brought theirs, by
  /// threads that want cores. Of `task` only what every step must have alike is used. Both have ended when it
  /// returns.
  /// @throws as step(), and what `meanwhile` throws
  void place(const Task& task, const std::function<void(const std::atomic<unsigned>& devices)>& meanwhile) {
    within_memory([&] { steps_->place(task, meanwhile); });
  }

  /// Another task over the same rows, once, each part where the steps map it: what they begin with, say. Of
  /// `task` only what every step must have alike is used. Devices need resident code for both.
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

  /// From the next step on, GPUs have this share of the data, each the same, and nothing is corrected.
  /// @throws usage_error when the options leave out the CPU or the GPUs that get a share; device_unavailable
  /// when there is no GPU
  void split_by_hand(double gpu_share) { steps_->split_by_hand(gpu_share); }

  /// What the steps so far did, and why. scheduler::explain() makes lines of it.
  [[nodiscard]] iterative_report report() const {
    iterative_report all = steps_->report();
    add_note(all.notes, change_);
    return all;
  }

 private:
  [[nodiscard]] std::unique_ptr<scheduler::iteration<Task>> make(const Task& task,
                                                                 const iterative_options& options) {
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
                                         estimate, options.expected_steps);
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
      // Asking CUDA for its devices alone takes tens of milliseconds.
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
  std::string change_;  ///< of the data's file, as the last step found it
  scheduler::started_ahead<Kinds> started_;
  std::unique_ptr<scheduler::iteration<Task>> steps_;
};

}  // namespace duomap
