// GPU code of the extremes of columns.
#include "apps/algorithms/kmeans/column_extremes.hpp"
#include "gpu/engines/dense/device_loop.cuh"

namespace duomap::gpu {

template std::unique_ptr<resident_loop<column_extremes<float>>> make_resident(const column_extremes<float>&,
                                                                              const chunk&, int);

}  // namespace duomap::gpu
