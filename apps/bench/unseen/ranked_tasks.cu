// GPU code of the tasks that keep some of what they emit.
#include "apps/bench/unseen/tasks.hpp"
#include "gpu/engines/sort/engine.cuh"
#include "gpu/engines/top_k/engine.cuh"
#include "gpu/gpu_backend.cuh"

namespace duomap::gpu {

template backends_of<apps::unseen::best_of_groups> make_backends(const apps::unseen::best_of_groups&,
                                                                 const std::vector<int>&,
                                                                 const backend_options&);
template backends_of<apps::unseen::rare_lines> make_backends(const apps::unseen::rare_lines&,
                                                             const std::vector<int>&, const backend_options&);

}  // namespace duomap::gpu
