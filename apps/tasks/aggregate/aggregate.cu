// Makes the GPU code of the sums by key.
#include "apps/tasks/aggregate/aggregate.hpp"
#include "gpu/engines/hash_partitioned/aggregation.cuh"
#include "gpu/engines/sort/maker.hpp"
#include "gpu/gpu_backend.cuh"
#include "gpu/run_resident.cuh"

namespace duomap::gpu {

using apps::sum_by_key;

template backends_of<sum_by_key<std::int32_t>> make_backends(const sum_by_key<std::int32_t>&,
                                                             const std::vector<int>&, const backend_options&);
template backends_of<sum_by_key<std::int64_t>> make_backends(const sum_by_key<std::int64_t>&,
                                                             const std::vector<int>&, const backend_options&);
template resident_run<sum_by_key<std::int32_t>> run_resident(const sum_by_key<std::int32_t>&, int, byte_view,
                                                             unsigned, const backend_options&, worker_pool&);
template resident_run<sum_by_key<std::int64_t>> run_resident(const sum_by_key<std::int64_t>&, int, byte_view,
                                                             unsigned, const backend_options&, worker_pool&);

}  // namespace duomap::gpu
