// Makes the GPU code of deterministic sums of floating point by key.
#include "apps/tasks/aggregate/aggregate.hpp"
#include "core/deterministic.hpp"
#include "core/partial/keyed.hpp"
#include "gpu/engines/hash/maker.hpp"
#include "gpu/engines/sort/maker.hpp"
#include "gpu/gpu_backend.cuh"
#include "gpu/run_resident.cuh"

namespace duomap::gpu {

using apps::float_sum_by_key;
using apps::sum_by_key;

template backends_of<deterministic<float_sum_by_key>> make_backends(const deterministic<float_sum_by_key>&,
                                                                    const std::vector<int>&,
                                                                    const backend_options&);
template resident_run<deterministic<sum_by_key<double>>> run_resident(
    const deterministic<sum_by_key<double>>&, int, byte_view, unsigned, const backend_options&, worker_pool&);

}  // namespace duomap::gpu
