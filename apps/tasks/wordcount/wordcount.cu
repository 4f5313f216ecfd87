// Makes the GPU code of word count.
#include "apps/tasks/wordcount/wordcount.hpp"
#include "gpu/engines/hash/engine.cuh"
#include "gpu/engines/sort/maker.hpp"
#include "gpu/gpu_backend.cuh"
#include "gpu/run_resident.cuh"

namespace duomap::gpu {

template backends_of<apps::wordcount> make_backends(const apps::wordcount&, const std::vector<int>&,
                                                    const backend_options&);
template resident_run<apps::wordcount> run_resident(const apps::wordcount&, int, byte_view, unsigned,
                                                    const backend_options&, worker_pool&);

}  // namespace duomap::gpu
