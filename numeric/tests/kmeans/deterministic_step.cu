// Makes the GPU code of the k-means step in deterministic mode. It is compiled with --fmad=false, so that
// products and sums are rounded as on the CPU.
#include "gpu/engines/all.cuh"
#include "gpu/gpu_backend.cuh"
#include "numeric/tests/kmeans/deterministic_step.hpp"

#include <vector>

namespace duomap::gpu {

template backends_of<deterministic<apps::kmeans_step<3>>> make_backends(
    const deterministic<apps::kmeans_step<3>>&, const std::vector<int>&, const backend_options&);

}  // namespace duomap::gpu
