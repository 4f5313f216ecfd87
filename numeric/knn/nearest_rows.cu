// Makes the GPU code of k nearest neighbours.
#include "gpu/engines/custom/engine.cuh"
#include "gpu/gpu_backend.cuh"
#include "gpu/run_resident.cuh"
#include "numeric/knn/nearest_engine.cuh"
#include "numeric/knn/nearest_rows.hpp"

namespace duomap::gpu {

template backends_of<nearest_rows> make_backends(const nearest_rows&, const std::vector<int>&,
                                                 const backend_options&);
template resident_run<nearest_rows> run_resident(const nearest_rows&, int, byte_view, unsigned,
                                                 const backend_options&, worker_pool&);

}  // namespace duomap::gpu
