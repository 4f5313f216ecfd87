// Makes the GPU code of the task that keeps every emit.
#include "bench/unseen/number_tasks.hpp"
#include "core/partial/collected.hpp"
#include "gpu/engines/sort/maker.hpp"
#include "gpu/gpu_backend.cuh"

namespace duomap::gpu {

template backends_of<apps::unseen::rare_lines> make_backends(const apps::unseen::rare_lines&,
                                                             const std::vector<int>&, const backend_options&);

}  // namespace duomap::gpu
