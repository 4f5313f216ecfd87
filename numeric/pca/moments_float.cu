// Makes the GPU code of the moments of rows of float.
#include "gpu/engines/custom/engine.cuh"
#include "gpu/gpu_backend.cuh"
#include "gpu/run_resident.cuh"
#include "numeric/pca/moment_engine.cuh"
#include "numeric/pca/moments.hpp"

namespace duomap::gpu {

template backends_of<moments<float, false>> make_backends(const moments<float, false>&,
                                                          const std::vector<int>&, const backend_options&);
template backends_of<deterministic<moments<float, true>>> make_backends(
    const deterministic<moments<float, true>>&, const std::vector<int>&, const backend_options&);
template resident_run<moments<float, false>> run_resident(const moments<float, false>&, int, byte_view,
                                                          unsigned, const backend_options&, worker_pool&);

}  // namespace duomap::gpu
