// Makes the GPU code of the contract's tasks for the dense engine: dense keys, no key, slots, and texts.
#include "gpu/engines/all.cuh"
#include "gpu/gpu_backend.cuh"
#include "tests/gpu/support/dense_tasks.hpp"

namespace duomap::gpu {

using devices = std::vector<int>;

template backends_of<test::byte_histogram> make_backends(const test::byte_histogram&, const devices&,
                                                         const backend_options&);
template backends_of<test::cell_moments> make_backends(const test::cell_moments&, const devices&,
                                                       const backend_options&);
template backends_of<test::seen_values> make_backends(const test::seen_values&, const devices&,
                                                      const backend_options&);
template backends_of<test::pair_distances> make_backends(const test::pair_distances&, const devices&,
                                                         const backend_options&);
template backends_of<test::nearest_centre> make_backends(const test::nearest_centre&, const devices&,
                                                         const backend_options&);
template backends_of<test::extremes> make_backends(const test::extremes&, const devices&,
                                                   const backend_options&);
template backends_of<test::matrix_products> make_backends(const test::matrix_products&, const devices&,
                                                          const backend_options&);
template backends_of<test::matrix_product> make_backends(const test::matrix_product&, const devices&,
                                                         const backend_options&);
template backends_of<test::overall<sum<std::uint64_t>>> make_backends(
    const test::overall<sum<std::uint64_t>>&, const devices&, const backend_options&);
template backends_of<test::overall<minimum<std::int64_t>>> make_backends(
    const test::overall<minimum<std::int64_t>>&, const devices&, const backend_options&);
template backends_of<test::overall<maximum<std::int32_t>>> make_backends(
    const test::overall<maximum<std::int32_t>>&, const devices&, const backend_options&);
template backends_of<test::float_sums> make_backends(const test::float_sums&, const devices&,
                                                     const backend_options&);
template backends_of<test::word_sizes> make_backends(const test::word_sizes&, const devices&,
                                                     const backend_options&);
template backends_of<test::ordered_words> make_backends(const test::ordered_words&, const devices&,
                                                        const backend_options&);
template backends_of<test::line_span> make_backends(const test::line_span&, const devices&,
                                                    const backend_options&);
template backends_of<test::overflowing_keys> make_backends(const test::overflowing_keys&, const devices&,
                                                           const backend_options&);

}  // namespace duomap::gpu
