// Labels points on the host, or on the GPU that holds them.
#include "numeric/kmeans/nearest_labels.hpp"

#include "numeric/common/ranges.hpp"
#include "numeric/kmeans/gpu_points.hpp"

namespace duomap {

template <class T>
std::vector<std::uint32_t> labels_of(matrix_view<T> points, const lloyd_step<T>& step, worker_pool& pool,
                                     const run_control* control) {
  std::vector<std::uint32_t> labels(points.rows);
  const std::uint64_t row_bytes = points.columns * sizeof(T);
  for_each_range(
      pool, points.rows, rows_per_range(row_bytes), control, [&](std::uint64_t begin, std::uint64_t end) {
        const char* const bytes = reinterpret_cast<const char*>(points.data) + begin * row_bytes;
        step.find_nearest({.data = bytes, .size = (end - begin) * row_bytes}, labels.data() + begin);
      });
  return labels;
}

#if DUOMAP_HAS_CUDA
std::vector<std::uint32_t> labels_of(gpu_matrix<float> points, const lloyd_step<float>& step,
                                     worker_pool& /*pool*/, const run_control* /*control*/) {
  std::vector<std::uint32_t> labels(points.rows);
  gpu::find_labels(points, step, labels.data());
  return labels;
}
#endif

template std::vector<std::uint32_t> labels_of(matrix_view<float>, const lloyd_step<float>&, worker_pool&,
                                              const run_control*);
template std::vector<std::uint32_t> labels_of(matrix_view<double>, const lloyd_step<double>&, worker_pool&,
                                              const run_control*);

}  // namespace duomap
