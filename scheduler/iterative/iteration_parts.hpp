// The executors of an iterative job, and when devices are started for it.
// host only
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

/// A device that could keep a part of the data.
template <map_reduce_task Task>
struct resident_device {
  std::string name;
  /// Starts it, which takes its time; it holds nothing yet. Throws device_lost, out_of_memory, error.
  std::function<std::unique_ptr<resident_loop<Task>>(const Task&)> start;
  const device_provider* from = nullptr;
  int index = 0;
};

/// Which executors take part in the steps, and when that is decided.
template <map_reduce_task Task>
struct iteration_parts {
  /// Asked once, when devices are to be started; null: there are none. May add to the report's notes, and
  /// throw device_unavailable.
  std::function<std::vector<resident_device<Task>>(std::vector<std::string>& notes)> find_devices = nullptr;
  /// Devices start with the first step, and not when steps without them have cost as much as starting will.
  bool start_at_once = false;
  /// Begins to start the devices beside the pool's steps. Null: the step that wants them waits for them.
  std::function<void()> start_beside = nullptr;
  /// About how long that still takes; nothing when it has ended. Not null if start_beside is not.
  std::function<std::optional<double>()> start_seconds_left = nullptr;
  double start_seconds = 0;
  /// Devices may take part: the program has code for them.
  bool has_device_code = true;
  double copy_bytes_per_second = std::numeric_limits<double>::infinity();
  /// resident_split_options::pool_seconds.
  double pool_seconds = 0;
  /// A backend for one step on these workers; null: no pool takes part.
  std::function<std::unique_ptr<backend<Task>>(const Task&, worker_pool&)> make_pool = nullptr;
  /// Seconds since whenever.
  std::function<double()> clock = [] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  };
};

}  // namespace duomap::scheduler
