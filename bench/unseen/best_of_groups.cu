// Makes the GPU code of the task that keeps the best records of each group.
#include "bench/unseen/tasks.hpp"
#include "gpu/engines/top_k/engine.cuh"
#include "gpu/gpu_backend.cuh"

namespace duomap::gpu {

template backends_of<apps::unseen::best_of_groups> make_backends(const apps::unseen::best_of_groups&,
                                                                 const std::vector<int>&,
                                                                 const backend_options&);

}  // namespace duomap::gpu
