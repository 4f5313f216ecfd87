// Makes the GPU code of the task that reads numbers in text.
#include "bench/unseen/number_tasks.hpp"
#include "gpu/engines/hash/engine.cuh"
#include "gpu/gpu_backend.cuh"

namespace duomap::gpu {

template backends_of<apps::unseen::sensors> make_backends(const apps::unseen::sensors&,
                                                          const std::vector<int>&, const backend_options&);

}  // namespace duomap::gpu
