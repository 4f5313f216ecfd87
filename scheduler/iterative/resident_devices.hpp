// Keeps the devices of an iterative job. Each is started once, and holds the part of the data that the split
// gives it.
#pragma once

#include "core/error.hpp"
#include "core/iterative_report.hpp"
#include "core/resident_loop.hpp"
#include "core/run_options.hpp"
#include "core/task.hpp"
#include "scheduler/dispatch/chunk_source.hpp"
#include "scheduler/iterative/call_together.hpp"
#include "scheduler/iterative/iteration_parts.hpp"
#include "scheduler/iterative/resident_split.hpp"
#include "scheduler/iterative/step_log.hpp"
#include "scheduler/planner/device_plan.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace duomap::scheduler {

/// Manages the devices of a job. Leaves out devices that fail, and tells the split and the report. Only one
/// thread uses the object.
template <map_reduce_task Task>
class resident_devices {
 public:
  struct seat {
    resident_device<Task> is;
    std::unique_ptr<resident_loop<Task>> loop;
    grain_range held = {};
    double held_at = 0;  ///< the time when it got `held`
    bool begun = false;
    double began = 0;
    step_lane* copies = nullptr;  ///< null: there is no log
    step_lane* kernels = nullptr;
  };

  /// All arguments must outlive this.
  resident_devices(const iteration_parts<Task>& parts, const run_options& options, const chunk_source& data,
                   resident_split& split, iterative_report& report)
    : parts_(parts), options_(options), data_(data), split_(split), report_(report) {}

  [[nodiscard]] bool started() const noexcept { return started_; }
  [[nodiscard]] bool empty() const noexcept { return seats_.empty(); }
  [[nodiscard]] std::size_t size() const noexcept { return seats_.size(); }
  [[nodiscard]] seat& operator[](std::size_t device) { return seats_[device]; }
  [[nodiscard]] const seat& operator[](std::size_t device) const { return seats_[device]; }
  /// The number of a device as a member of the split. If there is a pool, it comes first.
  [[nodiscard]] std::size_t member_of(std::size_t device) const {
    return device + (parts_.make_pool != nullptr ? 1 : 0);
  }
  /// Whether a device other than `device` is not lost.
  [[nodiscard]] bool has_other_than(std::size_t device) const {
    for (std::size_t i = 0; i < seats_.size(); ++i) {
      if (i != device && seats_[i].loop) return true;
    }
    return false;
  }

  /// Starts all devices. `log` may be null. Requires find_devices.
  void start(const Task& task, bool has_bytes, step_log* log) {
    started_ = true;
    for (const resident_device<Task>& one : parts_.find_devices(report_.notes)) {
      const std::size_t member = split_.add_device(data_.grains());
      seats_.emplace_back().is = one;
      report_.parts.push_back({.name = one.name, .kind = executor_kind::device});
      const double begin = parts_.clock();
      try {
        seats_.back().loop = one.start(task);
        std::uint64_t bytes = seats_.back().loop->most_bytes();
        if (options_.steps.most_resident_bytes > 0)
          bytes = std::min(bytes, options_.steps.most_resident_bytes);
        if (has_bytes) {
          split_.holds_at_most(member, static_cast<std::uint32_t>(
                                           std::min<std::uint64_t>(data_.grains(), bytes / data_.grain())));
        }
      } catch (const error& problem) {
        lose(seats_.size() - 1, problem);
      }
      const double end = parts_.clock();
      report_.parts.back().start_seconds = end - begin;
      if (log == nullptr) continue;
      log->lane(one.name, "start").add(begin, end);
      seats_.back().copies = &log->lane(one.name + " copies", "copy");
      seats_.back().kernels = &log->lane(one.name + " kernels", "map");
    }
  }

  /// The error of a job whose split gives a share to devices, if none was started.
  [[nodiscard]] device_unavailable none_for_share() const {
    // The last note says why no device was started.
    return no_device_for_share(report_.notes.empty() ? std::string() : report_.notes.back());
  }

  /// Gives up a device that failed, so that the others do its work from now on. A strict job throws `problem`
  /// again. So this function may be called only in the catch block of `problem`.
  void lose(std::size_t device, const error& problem) {
    iterative_part& part = report_.parts[member_of(device)];
    part.trouble = part.name + " takes no part any more: " + problem.what();
    report_.notes.push_back(part.trouble);
    report_.degraded = true;
    seats_[device].held = {};
    seats_[device].begun = false;
    seats_[device].loop.reset();
    split_.failed(member_of(device));
    loss_ = std::current_exception();
    if (options_.strict) throw;
  }

  /// Work of the caller during place(). Its argument is the number of devices that still get their parts.
  using while_brought = std::function<void(const std::atomic<unsigned>& devices)>;

  /// Brings each device its new part. This happens for all devices at once, because each has a link of its
  /// own. Meanwhile it calls `meanwhile` once on this thread, if it is not null. Returns the time when the
  /// last part had arrived, or 0 if no part was new.
  double place(while_brought meanwhile = nullptr) {
    double there = 0;
    std::atomic<unsigned> bringing = 0;
    while (true) {
      if (!split_.complete()) {
        if (loss_) std::rethrow_exception(loss_);
        throw out_of_memory(
            "the devices of this job have no memory for its " + std::to_string(data_.addressable_units()) +
            " bytes of data, and the CPU takes no part; let it (cpu_gpu), or use more devices");
      }
      std::vector<std::pair<std::size_t, std::uint32_t>> which;
      std::vector<std::function<void()>> calls;
      std::uint32_t next = 0;
      for (std::size_t i = 0; i < seats_.size(); ++i) {
        const std::uint32_t share = split_.shares()[member_of(i)];
        const grain_range range{next, next + share};
        next = range.end;
        const seat& device = seats_[i];
        if (range.empty() || !device.loop) continue;
        if (device.held.begin == range.begin && device.held.end == range.end) continue;
        which.emplace_back(i, share);
        calls.push_back([this, i, range, &bringing, part = data_.cut(range).records.value_or(chunk{})] {
          const count_down at_end{bringing};
          hold(i, range, part);
        });
      }
      bringing = static_cast<unsigned>(which.size());
      if (meanwhile)
        calls.push_back([&bringing, call = std::exchange(meanwhile, nullptr)] { call(bringing); });
      const std::vector<std::exception_ptr> thrown = call_together(calls);
      bool all_hold = true;
      for (std::size_t c = 0; c < which.size(); ++c) {
        if (!thrown[c]) {
          there = std::max(there, seats_[which[c].first].held_at);
          continue;
        }
        all_hold = false;
        cannot_hold(which[c].first, which[c].second, thrown[c]);
      }
      if (thrown.size() > which.size() && thrown.back()) std::rethrow_exception(thrown.back());
      if (all_hold) return there;
    }
  }

 private:
  struct count_down {
    std::atomic<unsigned>& count;
    ~count_down() { --count; }
  };

  // Brings a device its part. Each call has a thread of its own.
  void hold(std::size_t device, grain_range range, const chunk& part) {
    seat& one = seats_[device];
    const double begin = parts_.clock();
    const std::uint64_t bytes = one.loop->hold(part);
    one.held = range;
    iterative_part& account = report_.parts[member_of(device)];
    const double end = one.held_at = parts_.clock();
    account.move_seconds += end - begin;
    account.moved_bytes += bytes;
    if (bytes > 0) ++account.moves;
    if (bytes > 0 && one.copies != nullptr) one.copies->add(begin, end, bytes);
  }

  // Handles an exception of hold(). If the device is lost or has no room, other members get its part. Any
  // other exception ends the step.
  void cannot_hold(std::size_t device, std::uint32_t share, const std::exception_ptr& why) {
    try {
      std::rethrow_exception(why);
    } catch (const device_lost& problem) {
      lose(device, problem);
    } catch (const out_of_memory& problem) {
      seats_[device].held = {};
      report_.notes.push_back(report_.parts[member_of(device)].name +
                              " gets less of the data: " + problem.what());
      split_.holds_at_most(member_of(device), share / 2);
    }
  }

  const iteration_parts<Task>& parts_;
  const run_options& options_;
  const chunk_source& data_;
  resident_split& split_;
  iterative_report& report_;
  std::vector<seat> seats_;
  bool started_ = false;
  std::exception_ptr loss_;  // why the last device was lost
};

}  // namespace duomap::scheduler
