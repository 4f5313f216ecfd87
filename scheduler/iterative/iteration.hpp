// Takes the steps of an iterative job. In each step, devices map the data that they hold, the pool maps the
// rest, and their partials are merged.
// host only
#pragma once

#include "core/add_note.hpp"
#include "core/boundary.hpp"
#include "core/error.hpp"
#include "core/input/input.hpp"
#include "core/iterative_report.hpp"
#include "core/resident_loop.hpp"
#include "core/run_options.hpp"
#include "core/task.hpp"
#include "core/worker_pool.hpp"
#include "scheduler/dispatch/chunk_source.hpp"
#include "scheduler/iterative/call_together.hpp"
#include "scheduler/iterative/grain_sizes.hpp"
#include "scheduler/iterative/iteration_parts.hpp"
#include "scheduler/iterative/late_device.hpp"
#include "scheduler/iterative/merge_step.hpp"
#include "scheduler/iterative/pool_step.hpp"
#include "scheduler/iterative/resident_devices.hpp"
#include "scheduler/iterative/resident_split.hpp"
#include "scheduler/iterative/step_log.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace duomap::scheduler {

/// Devices have the low end of the data, in their order, and the pool has the high end. So if the split
/// changes, each device needs only its new data. A step first starts all devices. Then the pool works, on the
/// calling thread and its workers. Then this thread waits for the devices. Used by one thread.
template <map_reduce_task Task>
class iteration {
 public:
  /// `from` has at most one source, which must be addressable. `from` and `pool` must outlive this.
  /// @throws usage_error when the split is a policy without meaning here, or gives a share to no executor
  iteration(const Task& task, const input& from, iteration_parts<Task> parts, worker_pool& pool,
            const run_options& options)
    : parts_(std::move(parts)),
      pool_(pool),
      options_(options),
      records_(format_of(task)),
      is_small_(is_small(from)),
      data_(from, records_,
            is_small_ && pool.workers() > 1 ? options_for_pool(pool.workers(), !maps_chunks<Task>, true)
                                            : chunk_source_options{},
            options.control),
      has_bytes_(from.size() > 0 && from[0].bytes().data != nullptr),
      split_(data_.grains(),
             {.pool = has_pool(),
              .start_at_once = parts_.start_at_once,
              .start_seconds = parts_.start_seconds,
              .most_steps = options_.steps.most,
              .copy_seconds_per_grain =
                  has_bytes_ ? static_cast<double>(data_.grain()) / parts_.copy_bytes_per_second : 0,
              .last_grain = last_grain(data_),
              .pool_seconds = parts_.pool_seconds}),
      devices_(parts_, options_, data_, split_, report_) {
    if (has_pool()) report_.parts.push_back({.name = "cpu"});
    report_.units = data_.addressable_units();
    if (options.timeline) log_.emplace(parts_.clock(), has_pool() ? pool.workers() : 0);
    if (options.share.policy == share_policy::by_hand) share_by_hand(options.share.gpu_share);
  }

  /// Implements iterative_job::share_by_hand().
  void share_by_hand(double gpu_share) {
    if (!(gpu_share >= 0 && gpu_share <= 1))
      throw usage_error("a share is from 0 to 1, not " + std::to_string(gpu_share));
    if (!has_pool() && gpu_share < 1)
      throw usage_error("the CPU was given a share, and takes no part in this job");
    if (gpu_share > 0 && !parts_.find_devices)
      throw usage_error("GPUs were given a share, and take no part in this job");
    if (gpu_share > 0 && devices_.started() && devices_.empty()) throw devices_.none_for_share();
    split_.share_by_hand(gpu_share);
    by_hand_share_ = gpu_share;
  }

  /// Implements iterative_job::place().
  void place(const Task& task, const std::function<void(const std::atomic<unsigned>& devices)>& meanwhile) {
    const double called = parts_.clock();
    stop_if_cancelled(options_.control);
    start_devices(task);
    report_.seconds += std::max(devices_.place(meanwhile) - called, 0.0);
  }

  /// Maps all data once. After an exception, the next step may still be done.
  [[nodiscard]] partial_for<Task> step(const Task& task) {
    const double called = parts_.clock();
    merging_ = &pool_;
    auto found = map_where_placed<Task>(task, [&](auto& to) { return map_all(task, to); });
    const double mapped = parts_.clock();
    report_.seconds += mapped - called;
    ++report_.steps;
    if (found.empty()) return empty_partial(task);
    partial_for<Task> merged = merge_step(std::move(found), task, caller_, *merging_);
    if (!log_) return merged;
    log_->lane("merge", "merge").add(mapped, parts_.clock());
    return merged;
  }

  /// Implements iterative_job::pass(). `how` makes the pool's backend, and `loop_on` a loop on a device.
  template <map_reduce_task Other, class LoopOn>
  [[nodiscard]] partial_for<Other> pass(const Task& task, const Other& other,
                                        const iteration_parts<Other>& how, const LoopOn& loop_on) {
    const double called = parts_.clock();
    merging_ = &pool_;
    auto found = map_where_placed<Other>(task, [&](auto& to) { return pass_once(other, how, loop_on, to); });
    report_.seconds += parts_.clock() - called;
    return found.empty() ? empty_partial(other) : merge_step(std::move(found), other, caller_, *merging_);
  }

  /// The workers that merge the result of the last step or pass: the pool, or only the calling thread if it
  /// did the pool's part alone.
  [[nodiscard]] worker_pool& merging() noexcept { return *merging_; }

  [[nodiscard]] iterative_report report() const {
    iterative_report all = report_;
    all.split_changes = split_.changes();
    all.planned_seconds = split_.planned_seconds();
    const double grains = std::max<double>(1, data_.grains());
    for (std::size_t i = 0; i < all.parts.size(); ++i) {
      iterative_part& one = all.parts[i];
      const step_model& model = split_.model(i);
      if (!split_.planned().empty()) one.planned_share = split_.planned()[i] / grains;
      one.reason = split_.reason(i);
      one.fixed_seconds = model.fixed();
      one.seconds_per_unit = model.per_grain() / static_cast<double>(data_.grain());
    }
    if (parts_.find_devices && parts_.has_device_code && has_pool() && !parts_.start_at_once) {
      all.account = {
          .start = split_.start_costs(), .pool = split_.pool_seconds(), .started = devices_.started()};
    }
    if (begun_beside_ && !devices_.started())
      all.notes.emplace_back("no GPU used: the steps so far were done before it was ready");
    if (log_) {
      all.timeline = log_->timeline();
      add_note(all.notes, log_->note());
    }
    return all;
  }

  /// The working time of the device that has worked longest so far.
  [[nodiscard]] double seconds_on_devices() const noexcept {
    double most = 0;
    for (const iterative_part& one : report_.parts) {
      if (one.kind == executor_kind::device) most = std::max(most, one.busy_seconds + one.move_seconds);
    }
    return most;
  }

 private:
  [[nodiscard]] bool has_pool() const { return parts_.make_pool != nullptr; }
  [[nodiscard]] std::size_t member_of(std::size_t device) const { return devices_.member_of(device); }

  // Places the data and calls map(found), and does both again as long as map returns false because a device
  // was lost.
  template <map_reduce_task Mapped, class Map>
  [[nodiscard]] std::vector<partial_for<Mapped>> map_where_placed(const Task& task, const Map& map) {
    stop_if_cancelled(options_.control);
    start_devices(task);
    std::vector<partial_for<Mapped>> found;
    while (true) {
      devices_.place();
      if (data_.name_stops_of([&] { return map(found); })) return found;
      found.clear();
    }
  }

  // Starts the devices when the split asks for it.
  void start_devices(const Task& task) {
    if (devices_.started() || !parts_.find_devices || !split_.starts_devices()) return;
    if (pool_goes_on()) return;
    devices_.start(task, has_bytes_, log_ ? &*log_ : nullptr);
    if (devices_.empty() && by_hand_share_ > 0) throw devices_.none_for_share();
    split_.devices_started();
  }

  // Whether the pool does another step instead of waiting for the start of the devices.
  bool pool_goes_on() {
    if (!has_pool() || !parts_.start_beside || by_hand_share_ > 0) return false;
    if (!std::exchange(begun_beside_, true)) parts_.start_beside();
    const auto left = parts_.start_seconds_left();
    return left && split_.pool_is_sooner(*left);
  }

  // Lets each member map its part, all at the same time. False: a device was lost.
  template <map_reduce_task Other, class LoopOn>
  bool pass_once(const Other& other, const iteration_parts<Other>& how, const LoopOn& loop_on,
                 std::vector<partial_for<Other>>& found) {
    std::vector<std::size_t> which;
    std::vector<std::function<void()>> calls;
    std::vector<std::optional<partial_for<Other>>> of(devices_.size() + 1);
    for (std::size_t i = 0; i < devices_.size(); ++i) {
      if (split_.shares()[member_of(i)] == 0) continue;
      which.push_back(i);
      calls.push_back([&, i] {
        std::unique_ptr<resident_loop<Other>> loop = loop_on(devices_[i].is);
        expects(loop != nullptr, "a pass over data on devices has code for them");
        loop->hold(devices_[i].loop->held());
        loop->begin(other, false);
        const auto may_give_up = [&] {
          return others_take_part(i) || is_cancelled(options_.control);
        };
        auto done = finish_or_give_up(loop, dispatch_thresholds::late_commit_seconds, may_give_up);
        if (!done) throw device_lost(devices_[i].is.name + " did not answer");
        of[i] = std::move(done->found);
      });
    }
    calls.push_back([&] {
      if (const grain_range mine = range_of_pool(); !mine.empty())
        of.back() = map_on_pool(other, how, mine, nullptr);
    });
    const std::vector<std::exception_ptr> thrown = call_together(calls);
    stop_if_cancelled(options_.control);
    if (thrown.back()) std::rethrow_exception(thrown.back());
    bool complete = true;
    std::vector<grain_range> unused;
    for (std::size_t c = 0; c < which.size(); ++c) {
      if (!thrown[c]) continue;
      complete = false;
      attempt(which[c], unused, [&] { std::rethrow_exception(thrown[c]); });
    }
    for (auto& one : of) {
      if (one) found.push_back(std::move(*one));
    }
    return complete;
  }

  [[nodiscard]] grain_range range_of_pool() const {
    const std::uint32_t grains = data_.grains();
    return {grains - (has_pool() ? split_.shares()[0] : 0), grains};
  }

  // Maps all data. False: a device was lost, and nobody has done its part.
  bool map_all(const Task& task, std::vector<partial_for<Task>>& found) {
    const std::vector<std::uint32_t> shares = split_.shares();
    const auto solo = std::count_if(shares.begin(), shares.end(), [](auto share) { return share > 0; }) == 1;
    std::vector<double> seconds(shares.size(), 0.0);
    std::vector<grain_range> orphaned;
    const double begin = parts_.clock();
    const grain_range mine = range_of_pool();
    try {
      for (std::size_t i = 0; i < devices_.size(); ++i) {
        if (shares[member_of(i)] == 0) continue;
        attempt(i, orphaned, [&] {
          devices_[i].loop->begin(task, !solo);
          devices_[i].begun = true;
          devices_[i].began = log_ ? parts_.clock() : 0;
        });
      }
      if (!mine.empty()) {
        found.push_back(map_own(task, mine));
        seconds[0] = parts_.clock() - begin;
      }
      for (std::size_t i = 0; i < devices_.size(); ++i) {
        if (!devices_[i].begun) continue;
        attempt(i, orphaned, [&] {
          devices_[i].begun = false;
          resident_step<Task> done = finish(i);
          found.push_back(std::move(done.found));
          seconds[member_of(i)] =
              solo ? parts_.clock() - begin : done.device_seconds + launch_and_wait_seconds;
          count_device(i, solo ? seconds[member_of(i)] : done.device_seconds);
        });
      }
    } catch (...) {
      abandon_step();
      throw;
    }
    const double step_seconds = parts_.clock() - begin;
    if (!orphaned.empty()) {
      if (!has_pool()) return false;
      std::uint32_t by_pool = mine.size();
      for (const grain_range& one : orphaned) {
        found.push_back(map_own(task, one));
        by_pool += one.size();
      }
      count_step(options_.control, data_, by_pool);
      return true;
    }
    count_step(options_.control, data_, mine.size());
    report_.step_seconds = step_seconds;
    for (std::size_t i = 0; i < shares.size(); ++i) {
      iterative_part& part = report_.parts[i];
      part.share = shares[i] / std::max<double>(1, data_.grains());
      if (shares[i] == 0) continue;
      ++part.steps;
      part.seconds = seconds[i];
      part.busy_seconds += seconds[i];
    }
    if (data_.grains() > 0) split_.finished(seconds, step_seconds);
    return true;
  }

  void count_device(std::size_t device, double seconds) {
    const auto& one = devices_[device];
    const std::uint64_t units = units_of(data_, one.held);
    report_.parts[member_of(device)].units += units;
    if (one.kernels != nullptr) one.kernels->add(one.began, one.began + seconds, units);
  }

  // Makes a call to a device. If the device fails, other members do its part later.
  template <class Call>
  void attempt(std::size_t device, std::vector<grain_range>& orphaned, const Call& call) {
    const grain_range held = devices_[device].held;
    try {
      call();
    } catch (const device_lost& problem) {
      orphaned.push_back(held);
      devices_.lose(device, problem);
    } catch (const out_of_memory& problem) {
      orphaned.push_back(held);
      devices_.lose(device, problem);
    }
  }

  // Waits for a device. Gives up a device that hangs if others can do its work or the job is cancelled.
  [[nodiscard]] resident_step<Task> finish(std::size_t device) {
    auto& one = devices_[device];
    const double late = late_seconds(split_.model(member_of(device)), one.held.size());
    auto done = finish_or_give_up(one.loop, late,
                                  [&] { return others_take_part(device) || is_cancelled(options_.control); });
    if (done) return std::move(*done);
    stop_if_cancelled(options_.control);
    throw device_lost(report_.parts[member_of(device)].name + " did not answer");
  }

  [[nodiscard]] bool others_take_part(std::size_t device) const {
    return has_pool() || devices_.has_other_than(device);
  }

  // Waits for all devices that are still at work, because the step has failed.
  void abandon_step() noexcept {
    for (std::size_t i = 0; i < devices_.size(); ++i) {
      if (!devices_[i].begun) continue;
      devices_[i].begun = false;
      try {
        static_cast<void>(finish(i));
      } catch (...) {
        // Another exception already ends the step, so this one is dropped. A lost device throws again in the
        // next step.
      }
    }
  }

  [[nodiscard]] partial_for<Task> map_own(const Task& task, grain_range grains) {
    report_.parts[0].units += units_of(data_, grains);
    return map_on_pool(task, parts_, grains, log_ ? &*log_ : nullptr);
  }

  template <map_reduce_task Mapped>
  [[nodiscard]] partial_for<Mapped> map_on_pool(const Mapped& task, const iteration_parts<Mapped>& how,
                                                grain_range grains, step_log* log) {
    // A single grain is done before another thread could wake up.
    worker_pool& on = grains.size() == 1 ? static_cast<worker_pool&>(caller_) : pool_;
    const double alone_seconds = is_small_ && !maps_chunks<Mapped> ? on.wake_seconds() : 0;
    auto mine = scheduler::map_on_pool(task, how, on, alone_seconds, data_, grains, log);
    if (!mine.woke_pool) merging_ = &caller_;
    return std::move(mine.found);
  }

  // The time from begin() to finish() of a device, without the time between its events (measured on an H200).
  static constexpr double launch_and_wait_seconds = 7.6e-6;

  iteration_parts<Task> parts_;
  worker_pool& pool_;
  sequential caller_;
  worker_pool* merging_ = &pool_;
  run_options options_;
  format_boundary<typename Task::format> records_;
  bool is_small_;
  chunk_source data_;
  bool has_bytes_;
  resident_split split_;
  double by_hand_share_ = 0;
  bool begun_beside_ = false;
  iterative_report report_;
  resident_devices<Task> devices_;
  std::optional<step_log> log_;  // if a timeline is wanted
};

}  // namespace duomap::scheduler
