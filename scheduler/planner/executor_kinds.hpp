// The kinds of executors of a program, as one type for templates.
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

  /// The providers of all kinds of devices, whatever tasks they can run.
  [[nodiscard]] static std::array<const device_provider*, sizeof...(Devices)> providers() {
    return {&Devices::provider()...};
  }

  template <class Task>
  [[nodiscard]] static std::array<scheduler::device_offer, sizeof...(Devices)> offers() {
    return {scheduler::device_offer{&Devices::provider(), Devices::template has_code<Task>}...};
  }

  /// Offers with has_code for the kinds that can iterate the task on resident data.
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

/// The kinds of every run that names no others: duomap.hpp defines them.
struct registered_kinds;

}  // namespace duomap
