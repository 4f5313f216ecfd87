// Makes the GPU code of the k-means step.
#include "gpu/engines/dense/dense_engine.cuh"
#include "gpu/engines/dense/dense_loop.cuh"
#include "gpu/engines/dense/device_cells_plan.cuh"
#include "gpu/engines/dense/key_pass.cuh"
#include "gpu/engines/sort/maker.hpp"
#include "gpu/gpu_backend.cuh"
#include "numeric/kmeans/kmeans_step.hpp"

namespace duomap::gpu {

template std::unique_ptr<resident_loop<apps::kmeans_step<3>>> make_resident(const apps::kmeans_step<3>&,
                                                                            const chunk&, int);
template backends_of<apps::kmeans_step<3>> make_backends(const apps::kmeans_step<3>&, const std::vector<int>&,
                                                         const backend_options&);

}  // namespace duomap::gpu
