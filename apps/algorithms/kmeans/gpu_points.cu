#include "apps/algorithms/kmeans/gpu_points.hpp"
#include "apps/algorithms/kmeans/lloyd_loop.cuh"
#include "gpu/runtime/buffer.cuh"
#include "gpu/runtime/check.cuh"
#include "gpu/runtime/stream.cuh"

namespace duomap::gpu {

void find_labels(gpu_matrix<float> points, const lloyd_step<float>& step, std::uint32_t* to) {
  lloyd_loop loop(step, {.data = points.bytes().data, .size = points.bytes().size}, points.gpu);
  const stream& on = loop.queue_of_work();
  const device_buffer found(points.rows * sizeof(std::uint32_t), on);
  loop.prepare(step);
  static_cast<void>(loop.find_labels(step, 0, points.rows, found.as<std::uint32_t>()));
  check(cudaMemcpyAsync(to, found.as<void>(), found.size(), cudaMemcpyDefault, on.get()), "copying labels");
  on.wait();
}

}  // namespace duomap::gpu
