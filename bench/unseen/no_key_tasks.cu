// Makes the GPU code of the tasks without a key.
#include "bench/unseen/tasks.hpp"
#include "gpu/engines/dense/dense_engine.cuh"
#include "gpu/engines/dense/slot_pass.cuh"
#include "gpu/gpu_backend.cuh"

namespace duomap::gpu {

template backends_of<apps::unseen::quantiles> make_backends(const apps::unseen::quantiles&,
                                                            const std::vector<int>&, const backend_options&);
template backends_of<apps::unseen::monte_carlo> make_backends(const apps::unseen::monte_carlo&,
                                                              const std::vector<int>&,
                                                              const backend_options&);

}  // namespace duomap::gpu
