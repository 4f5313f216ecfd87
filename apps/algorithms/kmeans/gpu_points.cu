#include "apps/algorithms/kmeans/gpu_points.hpp"
#include "apps/algorithms/kmeans/lloyd_loop.cuh"
#include "gpu/runtime/buffer.cuh"
#include "gpu/runtime/check.cuh"
#include "gpu/runtime/launch.cuh"
#include "gpu/runtime/stream.cuh"

namespace duomap::gpu {
namespace {

constexpr unsigned threads_of_block = 128;

unsigned blocks_of(std::uint64_t count) {
  return static_cast<unsigned>((count + threads_of_block - 1) / threads_of_block);
}

chunk chunk_of(const gpu_matrix<float>& points) {
  const byte_view bytes = points.bytes();
  return {.data = bytes.data, .size = bytes.size};
}

/// No product is fused with a sum: the CPU's are not.
__global__ void square_kernel(const lloyd_arguments a, double* squares) {
  const std::uint64_t p = std::uint64_t{blockIdx.x} * threads_of_block + threadIdx.x;
  if (p >= a.count) return;
  const float* const point = a.points + p * a.dimensions;
  const float* const negative = a.negative_centres + std::uint64_t{a.labels[p]} * a.dimensions;
  double square = 0;
  for (std::uint32_t d = 0; d < a.dimensions; ++d) {
    const double difference =
        __dadd_rn(static_cast<double>(point[d] - a.shift[d]), static_cast<double>(negative[d]));
    square = __dadd_rn(square, __dmul_rn(difference, difference));
  }
  squares[p] = square;
}

template <class T>
void bring(std::vector<T>& to, const device_buffer& from, const stream& on) {
  check(cudaMemcpyAsync(to.data(), from.as<void>(), from.size(), cudaMemcpyDeviceToHost, on.get()),
        "copying what was found about points");
}

}  // namespace

void find_labels(gpu_matrix<float> points, const lloyd_step<float>& step, std::uint32_t* to) {
  lloyd_loop loop(step, chunk_of(points), points.gpu);
  const device_buffer& found = loop.find_labels(step);
  check(cudaMemcpyAsync(to, found.as<void>(), points.rows * sizeof(std::uint32_t), cudaMemcpyDefault,
                        loop.queue_of_work().get()),
        "copying labels");
  loop.queue_of_work().wait();
}

nearest_squares find_squares(gpu_matrix<float> points, const lloyd_step<float>& step) {
  lloyd_loop loop(step, chunk_of(points), points.gpu);
  const device_buffer& found = loop.find_labels(step);
  const stream& on = loop.queue_of_work();
  const device_buffer squares(points.rows * sizeof(double), on);
  launch(square_kernel, {blocks_of(points.rows), threads_of_block, 0, on.get()}, loop.arguments_of(step),
         squares.as<double>());
  nearest_squares all{std::vector<double>(points.rows), std::vector<std::uint32_t>(points.rows)};
  bring(all.square, squares, on);
  bring(all.centre, found, on);
  on.wait();
  return all;
}

}  // namespace duomap::gpu
