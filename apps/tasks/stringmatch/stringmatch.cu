// Makes the GPU code of string match.
#include "apps/tasks/stringmatch/stringmatch.hpp"
#include "core/partial/collected.hpp"
#include "gpu/engines/sort/maker.hpp"
#include "gpu/gpu_backend.cuh"
#include "gpu/run_resident.cuh"

namespace duomap::gpu {

template backends_of<apps::stringmatch> make_backends(const apps::stringmatch&, const std::vector<int>&,
                                                      const backend_options&);
template resident_run<apps::stringmatch> run_resident(const apps::stringmatch&, int, byte_view, unsigned,
                                                      const backend_options&, worker_pool&);

}  // namespace duomap::gpu
