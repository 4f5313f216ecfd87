// GPU code of the task whose answer depends on the order of the input: its sort engine.
#include "apps/bench/gpus/first_values.hpp"
#include "gpu/engines/sort/engine.cuh"

namespace duomap::gpu {

template std::unique_ptr<engine> make_sort_engine(const apps::first_by_key&, const backend_options&,
                                                  const stream&, host_partials<apps::first_by_key>&);

}  // namespace duomap::gpu
