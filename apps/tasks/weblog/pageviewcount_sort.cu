// Makes the GPU code of the page views for the sort engine.
#include "apps/tasks/weblog/pageviewcount.hpp"
#include "gpu/engines/sort/engine.cuh"

namespace duomap::gpu {

template std::unique_ptr<engine> make_sort_engine(const apps::request_count&, const backend_options&,
                                                  const stream&, host_partials<apps::request_count>&);
template std::unique_ptr<engine> make_sort_engine(const apps::visit_count&, const backend_options&,
                                                  const stream&, host_partials<apps::visit_count>&);

}  // namespace duomap::gpu
