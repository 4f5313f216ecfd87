// Makes the GPU code of the top-k tasks.
#include "gpu/engines/top_k/engine.cuh"
#include "gpu/gpu_backend.cuh"
#include "tests/gpu/engines/top_k/top_tasks.hpp"

namespace duomap::gpu {

template backends_of<test::largest_rows> make_backends(const test::largest_rows&, const std::vector<int>&,
                                                       const backend_options&);
template backends_of<test::largest_rows_by_class> make_backends(const test::largest_rows_by_class&,
                                                                const std::vector<int>&,
                                                                const backend_options&);
template backends_of<test::longest_words> make_backends(const test::longest_words&, const std::vector<int>&,
                                                        const backend_options&);
template backends_of<test::top_keys_out_of_range> make_backends(const test::top_keys_out_of_range&,
                                                                const std::vector<int>&,
                                                                const backend_options&);

}  // namespace duomap::gpu
