// Makes the GPU code of the task whose answer depends on the order of the input.
#include "bench/gpus/first_values.hpp"
#include "core/partial/collected.hpp"
#include "gpu/engines/sort/maker.hpp"
#include "gpu/gpu_backend.cuh"

namespace duomap::gpu {

template backends_of<apps::first_by_key> make_backends(const apps::first_by_key&, const std::vector<int>&,
                                                       const backend_options&);

}  // namespace duomap::gpu
