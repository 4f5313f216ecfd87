// Makes the GPU code of the task whose reduction does not commute.
#include "bench/unseen/tasks.hpp"
#include "gpu/engines/dense/ordered/engine.cuh"
#include "gpu/gpu_backend.cuh"

namespace duomap::gpu {

template backends_of<apps::unseen::in_order> make_backends(const apps::unseen::in_order&,
                                                           const std::vector<int>&, const backend_options&);

}  // namespace duomap::gpu
