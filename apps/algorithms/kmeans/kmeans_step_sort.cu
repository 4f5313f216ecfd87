// GPU code of the k-means step: its sort engine.
#include "apps/algorithms/kmeans/kmeans_step.hpp"
#include "gpu/engines/sort/engine.cuh"

namespace duomap::gpu {

template std::unique_ptr<engine> make_sort_engine(const apps::kmeans_step<3>&, const backend_options&,
                                                  const stream&, host_partials<apps::kmeans_step<3>>&);

}  // namespace duomap::gpu
