// Makes the GPU code of sums of floating point by key, in any order of addition.
#include "apps/tasks/aggregate/aggregate.hpp"
#include "gpu/engines/hash_partitioned/aggregation.cuh"
#include "gpu/engines/sort/maker.hpp"
#include "gpu/gpu_backend.cuh"
#include "gpu/run_resident.cuh"

namespace duomap::gpu {

using apps::float_sum_by_key;
using apps::sum_by_key;

template backends_of<float_sum_by_key> make_backends(const float_sum_by_key&, const std::vector<int>&,
                                                     const backend_options&);
template resident_run<sum_by_key<double>> run_resident(const sum_by_key<double>&, int, byte_view, unsigned,
                                                       const backend_options&, worker_pool&);

}  // namespace duomap::gpu
