// Makes the GPU code of the moments of rows of double.
#include "gpu/engines/custom/engine.cuh"
#include "gpu/gpu_backend.cuh"
#include "numeric/pca/moment_engine.cuh"
#include "numeric/pca/moments.hpp"

namespace duomap::gpu {

template backends_of<moments<double, false>> make_backends(const moments<double, false>&,
                                                           const std::vector<int>&, const backend_options&);
template backends_of<deterministic<moments<double, true>>> make_backends(
    const deterministic<moments<double, true>>&, const std::vector<int>&, const backend_options&);

}  // namespace duomap::gpu
