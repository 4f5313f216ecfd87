// Similarity's GPU code.
#include "apps/algorithms/similarity/similar_rows_engine.cuh"
#include "gpu/engines/custom/engine.cuh"
#include "gpu/gpu_backend.cuh"

namespace duomap::gpu {

template backends_of<similar_rows> make_backends(const similar_rows&, const std::vector<int>&,
                                                 const backend_options&);

}  // namespace duomap::gpu
