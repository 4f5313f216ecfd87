// The questions that discovery puts to CUDA. The only file with an answer for builds without CUDA.
#pragma once

#include "gpu/device/device.hpp"
#include "gpu/device/driver_status.hpp"

#include <string>

namespace duomap::gpu {

/// Asks for the versions, the devices and the environment. Makes no context.
[[nodiscard]] driver_facts query_driver();

/// A device, or what is wrong with it: "GPU 1: cudaError..., ...".
struct device_answer {
  device_info device;
  std::string problem;
};

/// Asks for a device's properties. Makes no context.
[[nodiscard]] device_answer query_device(int index);

/// Makes a context on a device, for all threads of the process; the calling thread's current device is that
/// one afterwards. False when that fails: the next run that uses the device says why.
[[nodiscard]] bool make_context(int index);

}  // namespace duomap::gpu
