// GPU code of the synthetic task.
#include "apps/scheduling/set_cost.hpp"
#include "gpu/gpu_backend.cuh"

namespace duomap::gpu {

template backends_of<apps::set_cost> make_backends(const apps::set_cost&, const std::vector<int>&,
                                                   const backend_options&);

}  // namespace duomap::gpu
