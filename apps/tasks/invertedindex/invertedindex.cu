// Makes the GPU code of the inverted index.
#include "apps/tasks/invertedindex/find_links.hpp"
#include "core/partial/collected.hpp"
#include "gpu/engines/sort/maker.hpp"
#include "gpu/gpu_backend.cuh"
#include "gpu/run_resident.cuh"

namespace duomap::gpu {

template backends_of<apps::find_links> make_backends(const apps::find_links&, const std::vector<int>&,
                                                     const backend_options&);
template resident_run<apps::find_links> run_resident(const apps::find_links&, int, byte_view, unsigned,
                                                     const backend_options&, worker_pool&);

}  // namespace duomap::gpu
