// GPU code of the tasks with dense keys or no key.
#include "apps/bench/unseen/tasks.hpp"
#include "gpu/engines/dense/engine.cuh"
#include "gpu/gpu_backend.cuh"

namespace duomap::gpu {

template backends_of<apps::unseen::histogram> make_backends(const apps::unseen::histogram&,
                                                            const std::vector<int>&, const backend_options&);
template backends_of<apps::unseen::quantiles> make_backends(const apps::unseen::quantiles&,
                                                            const std::vector<int>&, const backend_options&);
template backends_of<apps::unseen::monte_carlo> make_backends(const apps::unseen::monte_carlo&,
                                                              const std::vector<int>&,
                                                              const backend_options&);
template backends_of<apps::unseen::gradient> make_backends(const apps::unseen::gradient&,
                                                           const std::vector<int>&, const backend_options&);
template backends_of<apps::unseen::uneven> make_backends(const apps::unseen::uneven&, const std::vector<int>&,
                                                         const backend_options&);

}  // namespace duomap::gpu
