// The kinds of executors of a program, as one type for templates.
#pragma once

#include "core/device_provider.hpp"
#include "scheduler/planner/run_outlook.hpp"

#include <array>
#include <cstddef>

namespace duomap {

/// A pool and any number of kinds of devices. A kind is a type: cpu::kind for a pool, or gpu::kind.
template <class Pool, class... Devices>
struct executor_kinds {
  using pool = Pool;

  /// The providers of all kinds of devices, whether or not they can run a given task.
  [[nodiscard]] static std::array<const device_provider*, sizeof...(Devices)> providers() {
    return {&Devices::provider()...};
  }

  template <class Task>
  [[nodiscard]] static std::array<scheduler::device_offer, sizeof...(Devices)> offers() {
    return {scheduler::device_offer{&Devices::provider(), Devices::template has_code<Task>}...};
  }

  /// The offers of devices for an iterative job. A kind has code if it can iterate the task on resident data.
  template <class Task>
  [[nodiscard]] static std::array<scheduler::device_offer, sizeof...(Devices)> resident_offers() {
    return {scheduler::device_offer{&Devices::provider(), Devices::template has_resident_code<Task>}...};
  }

  [[nodiscard]] static bool any_started() { return (Devices::provider().any_started() || ...); }

  /// Calls act(kind) for each kind of device.
  template <class Act>
  static void for_each_device_kind(const Act& act) {
    (act(Devices{}), ...);
  }
};

/// The kinds of executors for every run that names no others. duomap.hpp defines them.
struct registered_kinds;

}  // namespace duomap
