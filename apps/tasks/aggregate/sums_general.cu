// Makes the GPU code of the sums by key for the general hash engine. This engine does sums that are too large
// for the variant for small values, entries that do not fit into that variant, and runs that ask for it.
#include "apps/tasks/aggregate/aggregate.hpp"
#include "core/deterministic.hpp"
#include "gpu/engines/hash/engine.cuh"
#include "gpu/engines/hash_partitioned/key_value.hpp"

namespace duomap::gpu {

using apps::float_sum_by_key;
using apps::sum_by_key;

template <class V>
using folded_sums = fold_key_values<std::uint32_t, sum<V>>;

template std::unique_ptr<engine> make_hash_engine(const sum_by_key<std::int32_t>&, const backend_options&,
                                                  const stream&, host_partials<sum_by_key<std::int32_t>>&);
template std::unique_ptr<engine> make_hash_engine(const sum_by_key<std::int64_t>&, const backend_options&,
                                                  const stream&, host_partials<sum_by_key<std::int64_t>>&);
template std::unique_ptr<engine> make_hash_engine(const sum_by_key<double>&, const backend_options&,
                                                  const stream&, host_partials<sum_by_key<double>>&);
template std::unique_ptr<engine> make_hash_engine(const float_sum_by_key&, const backend_options&,
                                                  const stream&, host_partials<float_sum_by_key>&);
template std::unique_ptr<engine> make_hash_engine(const deterministic<sum_by_key<double>>&,
                                                  const backend_options&, const stream&,
                                                  host_partials<deterministic<sum_by_key<double>>>&);
template std::unique_ptr<engine> make_hash_engine(const deterministic<float_sum_by_key>&,
                                                  const backend_options&, const stream&,
                                                  host_partials<deterministic<float_sum_by_key>>&);
template std::unique_ptr<engine> make_hash_engine(const folded_sums<std::int32_t>&, const backend_options&,
                                                  const stream&, host_partials<folded_sums<std::int32_t>>&);
template std::unique_ptr<engine> make_hash_engine(const folded_sums<std::int64_t>&, const backend_options&,
                                                  const stream&, host_partials<folded_sums<std::int64_t>>&);
template std::unique_ptr<engine> make_hash_engine(const folded_sums<double>&, const backend_options&,
                                                  const stream&, host_partials<folded_sums<double>>&);

}  // namespace duomap::gpu
