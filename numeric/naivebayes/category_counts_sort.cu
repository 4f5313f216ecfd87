// Makes the GPU code of naive Bayes' training: its sort engine.
#include "gpu/engines/sort/engine.cuh"
#include "numeric/naivebayes/category_counts.hpp"

namespace duomap::gpu {

template std::unique_ptr<engine> make_sort_engine(const category_counts&, const backend_options&,
                                                  const stream&, host_partials<category_counts>&);

}  // namespace duomap::gpu
