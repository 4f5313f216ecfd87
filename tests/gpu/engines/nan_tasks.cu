// Makes the GPU code of the tasks with extremes of numbers and NaN.
#include "gpu/engines/all.cuh"
#include "gpu/gpu_backend.cuh"
#include "tests/conformance/nan_tasks.hpp"

namespace duomap::gpu {

using devices = std::vector<int>;

template backends_of<test::sparse_extremes<no_key, minimum<float>>> make_backends(
    const test::sparse_extremes<no_key, minimum<float>>&, const devices&, const backend_options&);
template backends_of<test::sparse_extremes<no_key, argmax<float>>> make_backends(
    const test::sparse_extremes<no_key, argmax<float>>&, const devices&, const backend_options&);
template backends_of<test::sparse_extremes<dense, minimum<float>>> make_backends(
    const test::sparse_extremes<dense, minimum<float>>&, const devices&, const backend_options&);
template backends_of<test::sparse_extremes<dense, maximum<double>>> make_backends(
    const test::sparse_extremes<dense, maximum<double>>&, const devices&, const backend_options&);
template backends_of<test::sparse_extremes<std::uint32_t, minimum<float>>> make_backends(
    const test::sparse_extremes<std::uint32_t, minimum<float>>&, const devices&, const backend_options&);
template backends_of<test::sparse_extremes<std::uint32_t, test::extend_numbers>> make_backends(
    const test::sparse_extremes<std::uint32_t, test::extend_numbers>&, const devices&,
    const backend_options&);

}  // namespace duomap::gpu
