// Makes the GPU code of the tasks of the sort engine's tests.
#include "gpu/engines/all.cuh"
#include "gpu/gpu_backend.cuh"
#include "tests/gpu/engines/sort/sort_tasks.hpp"

namespace duomap::gpu {

using namespace duomap::test;
using devices = std::vector<int>;

template backends_of<lines_by_head> make_backends(const lines_by_head&, const devices&,
                                                  const backend_options&);
template backends_of<even_indices> make_backends(const even_indices&, const devices&, const backend_options&);
template backends_of<places_by_size> make_backends(const places_by_size&, const devices&,
                                                   const backend_options&);
template backends_of<places_by_class> make_backends(const places_by_class&, const devices&,
                                                    const backend_options&);
template backends_of<line_spans> make_backends(const line_spans&, const devices&, const backend_options&);
template backends_of<first_places> make_backends(const first_places&, const devices&, const backend_options&);
template backends_of<word_chains> make_backends(const word_chains&, const devices&, const backend_options&);
template backends_of<line_chains> make_backends(const line_chains&, const devices&, const backend_options&);
template backends_of<first_lines> make_backends(const first_lines&, const devices&, const backend_options&);
template backends_of<local_bytes> make_backends(const local_bytes&, const devices&, const backend_options&);
template backends_of<changing_emits> make_backends(const changing_emits&, const devices&,
                                                   const backend_options&);
template backends_of<changing_bytes> make_backends(const changing_bytes&, const devices&,
                                                   const backend_options&);
template backends_of<sorted<matrix_products>> make_backends(const sorted<matrix_products>&, const devices&,
                                                            const backend_options&);
template backends_of<sorted<matrix_product>> make_backends(const sorted<matrix_product>&, const devices&,
                                                           const backend_options&);
template backends_of<sorted<byte_histogram>> make_backends(const sorted<byte_histogram>&, const devices&,
                                                           const backend_options&);
template backends_of<sorted<cell_moments>> make_backends(const sorted<cell_moments>&, const devices&,
                                                         const backend_options&);
template backends_of<sorted<seen_values>> make_backends(const sorted<seen_values>&, const devices&,
                                                        const backend_options&);
template backends_of<sorted<pair_distances>> make_backends(const sorted<pair_distances>&, const devices&,
                                                           const backend_options&);
template backends_of<sorted<overall<sum<std::uint64_t>>>> make_backends(
    const sorted<overall<sum<std::uint64_t>>>&, const devices&, const backend_options&);
template backends_of<sorted<overall<minimum<std::int64_t>>>> make_backends(
    const sorted<overall<minimum<std::int64_t>>>&, const devices&, const backend_options&);
template backends_of<sorted<lines_of_size>> make_backends(const sorted<lines_of_size>&, const devices&,
                                                          const backend_options&);

}  // namespace duomap::gpu
