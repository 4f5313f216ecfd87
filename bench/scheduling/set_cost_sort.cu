// Makes the GPU code of the sort engine for the synthetic task.
#include "bench/scheduling/set_cost.hpp"
#include "gpu/engines/sort/engine.cuh"

namespace duomap::gpu {

template std::unique_ptr<engine> make_sort_engine(const apps::set_cost&, const backend_options&,
                                                  const stream&, host_partials<apps::set_cost>&);

}  // namespace duomap::gpu
