// Makes the GPU code of the synthetic task.
#include "bench/scheduling/set_cost.hpp"
#include "gpu/engines/dense/dense_engine.cuh"
#include "gpu/engines/dense/slot_pass.cuh"
#include "gpu/engines/sort/maker.hpp"
#include "gpu/gpu_backend.cuh"
#include "gpu/run_resident.cuh"

namespace duomap::gpu {

template backends_of<apps::set_cost> make_backends(const apps::set_cost&, const std::vector<int>&,
                                                   const backend_options&);
template resident_run<apps::set_cost> run_resident(const apps::set_cost&, int, byte_view, unsigned,
                                                   const backend_options&, worker_pool&);

}  // namespace duomap::gpu
