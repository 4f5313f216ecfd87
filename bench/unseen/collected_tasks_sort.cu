// Makes the GPU code of the sort engine for the task that keeps every emit.
#include "bench/unseen/number_tasks.hpp"
#include "gpu/engines/sort/engine.cuh"

namespace duomap::gpu {

template std::unique_ptr<engine> make_sort_engine(const apps::unseen::rare_lines&, const backend_options&,
                                                  const stream&, host_partials<apps::unseen::rare_lines>&);

}  // namespace duomap::gpu
