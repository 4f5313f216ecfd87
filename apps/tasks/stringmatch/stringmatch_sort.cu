// Makes the GPU code of string match for the sort engine.
#include "apps/tasks/stringmatch/stringmatch.hpp"
#include "gpu/engines/sort/engine.cuh"

namespace duomap::gpu {

template std::unique_ptr<engine> make_sort_engine(const apps::stringmatch&, const backend_options&,
                                                  const stream&, host_partials<apps::stringmatch>&);

}  // namespace duomap::gpu
