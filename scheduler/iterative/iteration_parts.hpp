// The executors of an iterative job, and when its devices are started.
#pragma once

#include "core/backend.hpp"
#include "core/device_provider.hpp"
#include "core/resident_loop.hpp"
#include "core/task.hpp"
#include "core/worker_pool.hpp"

#include <chrono>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace duomap::scheduler {

/// A device that may get a part of the data.
template <map_reduce_task Task>
struct resident_device {
  std::string name;
  /// Starts the device, which may take long. The device has no data yet. Throws device_lost, out_of_memory,
  /// error.
  std::function<std::unique_ptr<resident_loop<Task>>(const Task&)> start;
  const device_provider* from = nullptr;
  int index = 0;
};

/// The executors of a job's steps, and how to start them.
template <map_reduce_task Task>
struct iteration_parts {
  /// Finds the devices. Called once, when they are to be started; null: there are no devices. It may add to
  /// the report's notes, and throw device_unavailable.
  std::function<std::vector<resident_device<Task>>(std::vector<std::string>& notes)> find_devices = nullptr;
  /// If true, devices start with the first step. If false, they start when the steps without them have taken
  /// as long as a start.
  bool start_at_once = false;
  /// Begins to start the devices while the pool does steps. Null: the step that needs devices waits for their
  /// start.
  std::function<void()> start_beside = nullptr;
  /// The remaining seconds of the start in the background, roughly. No value: it has ended. Must not be null
  /// if start_beside is not null.
  std::function<std::optional<double>()> start_seconds_left = nullptr;
  double start_seconds = 0;
  /// Whether the program has code for devices, so that devices may take part.
  bool has_device_code = true;
  double copy_bytes_per_second = std::numeric_limits<double>::infinity();
  /// The expected time of a step on the pool alone (resident_split_options::pool_seconds).
  double pool_seconds = 0;
  /// Makes a backend for one step on the given workers; null: no pool takes part.
  std::function<std::unique_ptr<backend<Task>>(const Task&, worker_pool&)> make_pool = nullptr;
  /// The clock: seconds since any fixed moment.
  std::function<double()> clock = [] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  };
};

}  // namespace duomap::scheduler
