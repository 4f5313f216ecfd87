// Makes the GPU code of the k-means step: its sort engine.
#include "gpu/engines/sort/engine.cuh"
#include "numeric/kmeans/kmeans_step.hpp"

namespace duomap::gpu {

template std::unique_ptr<engine> make_sort_engine(const apps::kmeans_step<3>&, const backend_options&,
                                                  const stream&, host_partials<apps::kmeans_step<3>>&);

}  // namespace duomap::gpu
