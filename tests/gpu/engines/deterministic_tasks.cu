// Makes the GPU code of tasks in deterministic mode, compiled with --fmad=false: a fused multiply-add in map
// would round differently from the CPU.
#include "gpu/engines/all.cuh"
#include "gpu/gpu_backend.cuh"
#include "tests/conformance/deterministic_tasks.hpp"

namespace duomap::gpu {

using devices = std::vector<int>;

template backends_of<deterministic<test::hashed_sums<float>>> make_backends(
    const deterministic<test::hashed_sums<float>>&, const devices&, const backend_options&);
template backends_of<deterministic<test::hashed_sums<double>>> make_backends(
    const deterministic<test::hashed_sums<double>>&, const devices&, const backend_options&);
template backends_of<deterministic<test::dense_sums<float>>> make_backends(
    const deterministic<test::dense_sums<float>>&, const devices&, const backend_options&);
template backends_of<deterministic<test::dense_sums<double>>> make_backends(
    const deterministic<test::dense_sums<double>>&, const devices&, const backend_options&);
template backends_of<deterministic<test::moments_by_key>> make_backends(
    const deterministic<test::moments_by_key>&, const devices&, const backend_options&);
template backends_of<deterministic<test::number_slots>> make_backends(
    const deterministic<test::number_slots>&, const devices&, const backend_options&);

}  // namespace duomap::gpu
