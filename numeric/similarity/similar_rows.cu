// Makes the GPU code of similarity.
#include "gpu/engines/custom/engine.cuh"
#include "gpu/gpu_backend.cuh"
#include "numeric/similarity/similar_rows_engine.cuh"

namespace duomap::gpu {

template backends_of<similar_rows> make_backends(const similar_rows&, const std::vector<int>&,
                                                 const backend_options&);

}  // namespace duomap::gpu
