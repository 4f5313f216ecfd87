// Makes the GPU code of the aggregation tests' tasks whose values are structs.
#include "gpu/engines/hash_partitioned/engine.cuh"
#include "gpu/gpu_backend.cuh"
#include "tests/gpu/engines/hash_partitioned/aggregation_tasks.hpp"

namespace duomap::gpu {

using devices = std::vector<int>;
using namespace test;

template backends_of<extents> make_backends(const extents&, const devices&, const backend_options&);
template backends_of<narrow_extents> make_backends(const narrow_extents&, const devices&,
                                                   const backend_options&);
template backends_of<locked_extents> make_backends(const locked_extents&, const devices&,
                                                   const backend_options&);
template backends_of<float_extents> make_backends(const float_extents&, const devices&,
                                                  const backend_options&);

}  // namespace duomap::gpu
