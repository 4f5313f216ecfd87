// Makes the GPU code of the tasks with hashed keys.
#include "gpu/engines/all.cuh"
#include "gpu/gpu_backend.cuh"
#include "tests/gpu/support/keyed_tasks.hpp"

namespace duomap::gpu {

using devices = std::vector<int>;

template backends_of<test::word_counts> make_backends(const test::word_counts&, const devices&,
                                                      const backend_options&);
template backends_of<test::finished_word_counts> make_backends(const test::finished_word_counts&,
                                                               const devices&, const backend_options&);
template backends_of<test::reversed_endings> make_backends(const test::reversed_endings&, const devices&,
                                                           const backend_options&);
template backends_of<test::line_heads> make_backends(const test::line_heads&, const devices&,
                                                     const backend_options&);
template backends_of<test::nul_keys> make_backends(const test::nul_keys&, const devices&,
                                                   const backend_options&);
template backends_of<test::word_heads<1>> make_backends(const test::word_heads<1>&, const devices&,
                                                        const backend_options&);
template backends_of<test::word_heads<15>> make_backends(const test::word_heads<15>&, const devices&,
                                                         const backend_options&);
template backends_of<test::word_heads<65>> make_backends(const test::word_heads<65>&, const devices&,
                                                         const backend_options&);
template backends_of<test::field_sums> make_backends(const test::field_sums&, const devices&,
                                                     const backend_options&);
template backends_of<test::number_parity> make_backends(const test::number_parity&, const devices&,
                                                        const backend_options&);
template backends_of<test::best_words> make_backends(const test::best_words&, const devices&,
                                                     const backend_options&);
template backends_of<test::mixed_words<sum<std::uint32_t>>> make_backends(
    const test::mixed_words<sum<std::uint32_t>>&, const devices&, const backend_options&);
template backends_of<test::mixed_words<sum<std::int64_t>>> make_backends(
    const test::mixed_words<sum<std::int64_t>>&, const devices&, const backend_options&);
template backends_of<test::mixed_words<minimum<std::int32_t>>> make_backends(
    const test::mixed_words<minimum<std::int32_t>>&, const devices&, const backend_options&);
template backends_of<test::promise_breakers> make_backends(const test::promise_breakers&, const devices&,
                                                           const backend_options&);
template backends_of<test::cells_and_lines> make_backends(const test::cells_and_lines&, const devices&,
                                                          const backend_options&);

}  // namespace duomap::gpu
