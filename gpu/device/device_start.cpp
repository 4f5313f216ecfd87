// Begins to start the GPU of a run.
#include "gpu/device/device_start.hpp"

#include "gpu/device/background_start.hpp"
#include "gpu/device/device.hpp"
#include "gpu/device/gpu_state.hpp"

namespace duomap::gpu {

start_progress begin_to_start(int device_index) {
  if (state_of_gpu(device_index).has_context) return start_progress::ready;
  // A run may get GPU 0 before CUDA has listed the GPUs.
  if (is_discovered() && discovered({device_index}).empty()) return start_progress::none;
  switch (start_in_background({&device_index, 1}, 1)) {
    case background_start::going_on:
      return start_progress::going_on;
    case background_start::ended:
      return start_progress::ready;
    case background_start::no_device:
      break;
  }
  return start_progress::none;
}

}  // namespace duomap::gpu
