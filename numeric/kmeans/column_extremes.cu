// Makes the GPU code of the extremes of columns.
#include "gpu/engines/dense/device_loop.cuh"
#include "numeric/kmeans/column_extremes.hpp"

namespace duomap::gpu {

template std::unique_ptr<resident_loop<column_extremes<float>>> make_resident(const column_extremes<float>&,
                                                                              const chunk&, int);

}  // namespace duomap::gpu
