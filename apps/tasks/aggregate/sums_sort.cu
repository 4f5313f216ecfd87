// Makes the GPU code of the sums by key for the sort engine.
#include "apps/tasks/aggregate/aggregate.hpp"
#include "core/deterministic.hpp"
#include "gpu/engines/sort/engine.cuh"

namespace duomap::gpu {

using apps::float_sum_by_key;
using apps::sum_by_key;

template std::unique_ptr<engine> make_sort_engine(const sum_by_key<std::int32_t>&, const backend_options&,
                                                  const stream&, host_partials<sum_by_key<std::int32_t>>&);
template std::unique_ptr<engine> make_sort_engine(const sum_by_key<std::int64_t>&, const backend_options&,
                                                  const stream&, host_partials<sum_by_key<std::int64_t>>&);
template std::unique_ptr<engine> make_sort_engine(const sum_by_key<double>&, const backend_options&,
                                                  const stream&, host_partials<sum_by_key<double>>&);
template std::unique_ptr<engine> make_sort_engine(const float_sum_by_key&, const backend_options&,
                                                  const stream&, host_partials<float_sum_by_key>&);
template std::unique_ptr<engine> make_sort_engine(const deterministic<sum_by_key<double>>&,
                                                  const backend_options&, const stream&,
                                                  host_partials<deterministic<sum_by_key<double>>>&);
template std::unique_ptr<engine> make_sort_engine(const deterministic<float_sum_by_key>&,
                                                  const backend_options&, const stream&,
                                                  host_partials<deterministic<float_sum_by_key>>&);

}  // namespace duomap::gpu
