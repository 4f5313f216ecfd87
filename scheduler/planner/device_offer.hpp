// What a run is offered and what it gets.
#pragma once

#include "core/device_provider.hpp"

#include <span>

namespace duomap {

class host_provider;

}  // namespace duomap

namespace duomap::scheduler {

/// A kind of device, offered to a run.
struct device_offer {
  const device_provider* from = nullptr;
  bool has_code = false;  ///< the program has code for the task on such devices
};

/// The machine, as a run may use it.
struct available_machine {
  const host_provider& host;
  std::span<const device_offer> devices;
};

/// A device that takes part.
struct planned_device {
  const device_provider* from = nullptr;
  device_in_run device;
};

}  // namespace duomap::scheduler
