// Makes the GPU code of the tasks with hashed keys.
#include "bench/unseen/tasks.hpp"
#include "gpu/engines/hash/engine.cuh"
#include "gpu/gpu_backend.cuh"

namespace duomap::gpu {

template backends_of<apps::unseen::bigrams> make_backends(const apps::unseen::bigrams&,
                                                          const std::vector<int>&, const backend_options&);
template backends_of<apps::unseen::occurrences> make_backends(const apps::unseen::occurrences&,
                                                              const std::vector<int>&,
                                                              const backend_options&);
template backends_of<apps::unseen::five_grams> make_backends(const apps::unseen::five_grams&,
                                                             const std::vector<int>&, const backend_options&);
template backends_of<apps::unseen::beginnings> make_backends(const apps::unseen::beginnings&,
                                                             const std::vector<int>&, const backend_options&);

}  // namespace duomap::gpu
