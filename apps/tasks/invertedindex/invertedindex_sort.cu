// Makes the GPU code of the inverted index for the sort engine.
#include "apps/tasks/invertedindex/find_links.hpp"
#include "gpu/engines/sort/engine.cuh"

namespace duomap::gpu {

template std::unique_ptr<engine> make_sort_engine(const apps::find_links&, const backend_options&,
                                                  const stream&, host_partials<apps::find_links>&);

}  // namespace duomap::gpu
