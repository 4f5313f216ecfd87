// Makes the GPU code of naive Bayes' training.
#include "gpu/engines/hash/engine.cuh"
#include "gpu/engines/sort/maker.hpp"
#include "gpu/gpu_backend.cuh"
#include "numeric/naivebayes/category_counts.hpp"

namespace duomap::gpu {

template backends_of<category_counts> make_backends(const category_counts&, const std::vector<int>&,
                                                    const backend_options&);

}  // namespace duomap::gpu
