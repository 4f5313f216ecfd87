// The kinds of executors that take part in runs, as one type that templates ask.
// host only
#pragma once

#include "core/device_provider.hpp"
#include "scheduler/planner/run_outlook.hpp"

#include <array>
#include <cstddef>

namespace duomap {

/// A pool and any number of kinds of devices. A kind is a type such as cpu::kind, of a pool, or gpu::kind.
template <class Pool, class... Devices>
struct executor_kinds {
  using pool = Pool;

  /// All that are here, whatever they can run.
  [[nodiscard]] static std::array<const device_provider*, sizeof...(Devices)> providers() {
    return {&Devices::provider()...};
  }

  template <class Task>
  [[nodiscard]] static std::array<scheduler::device_offer, sizeof...(Devices)> offers() {
    return {scheduler::device_offer{&Devices::provider(), Devices::template has_code<Task>}...};
  }

  /// Of those that can iterate the task on data that stays on them.
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

/// Those of every run that names no others: duomap.hpp defines them.
struct registered_kinds;

}  // namespace duomap
