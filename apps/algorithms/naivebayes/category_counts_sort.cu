// GPU code of naive Bayes' training: its sort engine.
#include "apps/algorithms/naivebayes/category_counts.hpp"
#include "gpu/engines/sort/engine.cuh"

namespace duomap::gpu {

template std::unique_ptr<engine> make_sort_engine(const category_counts&, const backend_options&,
                                                  const stream&, host_partials<category_counts>&);

}  // namespace duomap::gpu
