// Makes the GPU code of the sums by key.
#include "bench/dense/sum_by_key.hpp"
#include "gpu/engines/dense/device_loop.cuh"

namespace duomap::gpu {

template std::unique_ptr<resident_loop<apps::sum_by_key<std::int32_t>>> make_resident(
    const apps::sum_by_key<std::int32_t>&, const chunk&, int);
template std::unique_ptr<resident_loop<apps::sum_by_key<std::int64_t>>> make_resident(
    const apps::sum_by_key<std::int64_t>&, const chunk&, int);

}  // namespace duomap::gpu
