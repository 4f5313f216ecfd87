// Makes the GPU code of the tasks with dense keys.
#include "bench/unseen/dense_tasks.hpp"
#include "gpu/engines/dense/dense_engine.cuh"
#include "gpu/engines/dense/key_pass.cuh"
#include "gpu/engines/dense/many_keys/many_keys_plan.cuh"
#include "gpu/gpu_backend.cuh"

namespace duomap::gpu {

template backends_of<apps::unseen::histogram> make_backends(const apps::unseen::histogram&,
                                                            const std::vector<int>&, const backend_options&);
template backends_of<apps::unseen::gradient> make_backends(const apps::unseen::gradient&,
                                                           const std::vector<int>&, const backend_options&);
template backends_of<apps::unseen::uneven> make_backends(const apps::unseen::uneven&, const std::vector<int>&,
                                                         const backend_options&);

}  // namespace duomap::gpu
