// Makes the GPU code of the dense engine's test tasks, with every way to fold.
#include "gpu/engines/all.cuh"
#include "gpu/gpu_backend.cuh"
#include "tests/gpu/support/dense_tasks.hpp"

namespace duomap::gpu {

using devices = std::vector<int>;

template backends_of<test::pairs_by_key<sum<std::uint32_t>>> make_backends(
    const test::pairs_by_key<sum<std::uint32_t>>&, const devices&, const backend_options&);
template backends_of<test::pairs_by_key<sum<std::int64_t>>> make_backends(
    const test::pairs_by_key<sum<std::int64_t>>&, const devices&, const backend_options&);
template backends_of<test::pairs_by_key<sum<std::uint8_t>>> make_backends(
    const test::pairs_by_key<sum<std::uint8_t>>&, const devices&, const backend_options&);
template backends_of<test::pairs_by_key<minimum<std::int32_t>>> make_backends(
    const test::pairs_by_key<minimum<std::int32_t>>&, const devices&, const backend_options&);
template backends_of<test::pairs_by_key<maximum<std::int64_t>>> make_backends(
    const test::pairs_by_key<maximum<std::int64_t>>&, const devices&, const backend_options&);
template backends_of<test::pairs_by_key<test::either>> make_backends(const test::pairs_by_key<test::either>&,
                                                                     const devices&, const backend_options&);
template backends_of<test::pairs_by_key<test::exclusive_or>> make_backends(
    const test::pairs_by_key<test::exclusive_or>&, const devices&, const backend_options&);
template backends_of<test::pairs_by_key<argmin<std::int32_t>>> make_backends(
    const test::pairs_by_key<argmin<std::int32_t>>&, const devices&, const backend_options&);
template backends_of<test::pairs_by_key<test::best_ranked>> make_backends(
    const test::pairs_by_key<test::best_ranked>&, const devices&, const backend_options&);
template backends_of<test::pairs_by_key<test::add_tallies>> make_backends(
    const test::pairs_by_key<test::add_tallies>&, const devices&, const backend_options&);
template backends_of<test::pairs_by_key<test::add_weighted>> make_backends(
    const test::pairs_by_key<test::add_weighted>&, const devices&, const backend_options&);
template backends_of<test::triples_together<sum<std::int64_t>>> make_backends(
    const test::triples_together<sum<std::int64_t>>&, const devices&, const backend_options&);
template backends_of<test::triples_together<argmin<std::int32_t>>> make_backends(
    const test::triples_together<argmin<std::int32_t>>&, const devices&, const backend_options&);
template backends_of<test::triples_together<test::add_tallies>> make_backends(
    const test::triples_together<test::add_tallies>&, const devices&, const backend_options&);

}  // namespace duomap::gpu
