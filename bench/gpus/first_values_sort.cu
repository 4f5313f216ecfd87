// Makes the GPU code of the sort engine for the task whose answer depends on the order of the input.
#include "bench/gpus/first_values.hpp"
#include "gpu/engines/sort/engine.cuh"

namespace duomap::gpu {

template std::unique_ptr<engine> make_sort_engine(const apps::first_by_key&, const backend_options&,
                                                  const stream&, host_partials<apps::first_by_key>&);

}  // namespace duomap::gpu
