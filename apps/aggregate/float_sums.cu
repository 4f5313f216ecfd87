// GPU code of sums of floats by key, as they come and deterministic.
#include "apps/aggregate/aggregate.hpp"
#include "gpu/gpu_backend.cuh"

namespace duomap::gpu {

using apps::float_sum_by_key;

template backends_of<float_sum_by_key> make_backends(const float_sum_by_key&, const std::vector<int>&,
                                                     const backend_options&);
template backends_of<deterministic<float_sum_by_key>> make_backends(const deterministic<float_sum_by_key>&,
                                                                    const std::vector<int>&,
                                                                    const backend_options&);

}  // namespace duomap::gpu
