// Makes the GPU code of the tests of resident loops and iterative jobs.
#include "gpu/engines/dense/device_loop.cuh"
#include "tests/gpu/support/dense_tasks.hpp"

namespace duomap::gpu {

template std::unique_ptr<resident_loop<test::pairs_by_key<sum<std::int64_t>>>> make_resident(
    const test::pairs_by_key<sum<std::int64_t>>&, const chunk&, int);
template std::unique_ptr<resident_loop<test::nearest_centre>> make_resident(const test::nearest_centre&,
                                                                            const chunk&, int);
template std::unique_ptr<resident_loop<test::far_centres>> make_resident(const test::far_centres&,
                                                                         const chunk&, int);
template std::unique_ptr<resident_loop<test::pair_distances>> make_resident(const test::pair_distances&,
                                                                            const chunk&, int);

}  // namespace duomap::gpu
