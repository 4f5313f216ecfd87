// GPU code of groups of the rows of tables.
#include "apps/tasks/table/group_rows.hpp"
#include "gpu/engines/hash/engine.cuh"
#include "gpu/gpu_backend.cuh"

namespace duomap::gpu {

using apps::group_rows;

template backends_of<group_rows<1>> make_backends(const group_rows<1>&, const std::vector<int>&,
                                                  const backend_options&);
template backends_of<group_rows<4>> make_backends(const group_rows<4>&, const std::vector<int>&,
                                                  const backend_options&);
template backends_of<group_rows<16>> make_backends(const group_rows<16>&, const std::vector<int>&,
                                                   const backend_options&);

}  // namespace duomap::gpu
