// Makes the GPU code of the aggregation tests' tasks.
#include "gpu/engines/all.cuh"
#include "gpu/gpu_backend.cuh"
#include "tests/gpu/engines/hash_partitioned/aggregation_tasks.hpp"

namespace duomap::gpu {

using devices = std::vector<int>;
using namespace test;

template backends_of<pair_sums<std::int32_t>> make_backends(const pair_sums<std::int32_t>&, const devices&,
                                                            const backend_options&);
template backends_of<pair_sums<std::int64_t>> make_backends(const pair_sums<std::int64_t>&, const devices&,
                                                            const backend_options&);
template backends_of<wide_sums> make_backends(const wide_sums&, const devices&, const backend_options&);
template backends_of<pair_minima> make_backends(const pair_minima&, const devices&, const backend_options&);
template backends_of<wide_maxima> make_backends(const wide_maxima&, const devices&, const backend_options&);
template backends_of<pair_parity> make_backends(const pair_parity&, const devices&, const backend_options&);
template backends_of<row_flags> make_backends(const row_flags&, const devices&, const backend_options&);
template backends_of<digit_sums> make_backends(const digit_sums&, const devices&, const backend_options&);
template backends_of<talkative_indices> make_backends(const talkative_indices&, const devices&,
                                                      const backend_options&);

}  // namespace duomap::gpu
