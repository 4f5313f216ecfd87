// Makes the GPU code of the step of k-means in deterministic mode. It is compiled with --fmad=false, because
// it multiplies and adds.
#include "gpu/engines/all.cuh"
#include "gpu/gpu_backend.cuh"
#include "numeric/tests/kmeans/deterministic_step.hpp"

#include <vector>

namespace duomap::gpu {

template backends_of<deterministic<apps::kmeans_step<3>>> make_backends(
    const deterministic<apps::kmeans_step<3>>&, const std::vector<int>&, const backend_options&);

}  // namespace duomap::gpu
