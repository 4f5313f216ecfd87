// Makes the GPU code of matmul.
#include "gpu/engines/custom/engine.cuh"
#include "gpu/gpu_backend.cuh"
#include "gpu/run_resident.cuh"
#include "numeric/matmul/row_product_engine.cuh"

namespace duomap::gpu {

template backends_of<row_product<float>> make_backends(const row_product<float>&, const std::vector<int>&,
                                                       const backend_options&);
template backends_of<row_product<double>> make_backends(const row_product<double>&, const std::vector<int>&,
                                                        const backend_options&);
template resident_run<row_product<float>> run_resident(const row_product<float>&, int, byte_view, unsigned,
                                                       const backend_options&, worker_pool&);

}  // namespace duomap::gpu
