#include "gpu/runtime/buffer.cuh"
#include "gpu/runtime/check.cuh"
#include "gpu/runtime/stream.cuh"
#include "numeric/kmeans/gpu_points.hpp"
#include "numeric/kmeans/lloyd_loop.cuh"

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

void store_labels(const std::vector<std::uint32_t>& labels, std::uint32_t* to) {
  check(cudaMemcpy(to, labels.data(), labels.size() * sizeof(std::uint32_t), cudaMemcpyDefault),
        "copying labels");
}

}  // namespace duomap::gpu
