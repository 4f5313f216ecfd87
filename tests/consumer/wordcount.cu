// The GPU code of the consumer's task, as docs/reference/task.md shows it.
#include "wordcount.hpp"

#include <gpu/engines/hash/engine.cuh>
#include <gpu/gpu_backend.cuh>

namespace duomap::gpu {

template backends_of<wordcount> make_backends(const wordcount&, const std::vector<int>&,
                                              const backend_options&);

}  // namespace duomap::gpu
