// Makes the GPU code of word count for the sort engine.
#include "apps/tasks/wordcount/wordcount.hpp"
#include "gpu/engines/sort/engine.cuh"

namespace duomap::gpu {

template std::unique_ptr<engine> make_sort_engine(const apps::wordcount&, const backend_options&,
                                                  const stream&, host_partials<apps::wordcount>&);

}  // namespace duomap::gpu
