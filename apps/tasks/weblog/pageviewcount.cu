// Makes the GPU code of the page views.
#include "apps/tasks/weblog/pageviewcount.hpp"
#include "gpu/engines/hash/engine.cuh"
#include "gpu/engines/sort/maker.hpp"
#include "gpu/gpu_backend.cuh"

namespace duomap::gpu {

using apps::request_count;
using apps::visit_count;

template backends_of<request_count> make_backends(const request_count&, const std::vector<int>&,
                                                  const backend_options&);
template backends_of<visit_count> make_backends(const visit_count&, const std::vector<int>&,
                                                const backend_options&);

}  // namespace duomap::gpu
