// Reports that nothing can be measured, in builds without CUDA; measure_gpu.cu measures.
#include "gpu/calibrate/measure_gpu.hpp"

#if !DUOMAP_HAS_CUDA

#include "core/error.hpp"
#include "gpu/device/driver_status.hpp"

#include <string>

namespace duomap::gpu {

std::vector<machine_figure> measure_gpu(int device_index, const gpu_measuring& /*how*/) {
  throw device_unavailable("GPU " + std::to_string(device_index) +
                           " cannot be measured: " + classify({}).reason);
}

}  // namespace duomap::gpu

#endif
