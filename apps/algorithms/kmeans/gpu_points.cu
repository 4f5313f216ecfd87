#include "apps/algorithms/kmeans/gpu_points.hpp"
#include "apps/algorithms/kmeans/lloyd_loop.cuh"
#include "gpu/runtime/buffer.cuh"
#include "gpu/runtime/check.cuh"
#include "gpu/runtime/launch.cuh"
#include "gpu/runtime/stream.cuh"

#include <algorithm>
#include <limits>

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

struct range_arguments {
  const float* points;
  std::uint64_t numbers;           ///< of all points
  std::uint64_t numbers_of_range;  ///< of all but the last range
  std::uint64_t length;
  double* sum;
  float* least;
  float* most;
};

/// A thread for each place of each range.
__global__ void range_kernel(const range_arguments a, std::uint64_t places) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * threads_of_block + threadIdx.x;
  if (i >= places) return;
  const std::uint64_t begin = i / a.length * a.numbers_of_range;
  const std::uint64_t end = min(begin + a.numbers_of_range, a.numbers);
  double sum = 0;
  float least = __int_as_float(0x7f800000), most = -least;
#pragma unroll 8
  for (std::uint64_t at = begin + i % a.length; at < end; at += a.length) {
    const float value = a.points[at];
    sum += static_cast<double>(value);
    least = value < least ? value : least;
    most = value > most ? value : most;
  }
  a.sum[i] = sum;
  a.least[i] = least;
  a.most[i] = most;
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

long_row_ranges find_ranges(gpu_matrix<float> points, std::uint64_t rows_of_range, std::uint64_t length) {
  use_gpu(points.gpu);
  const stream on;
  const std::uint64_t places = (points.rows + rows_of_range - 1) / rows_of_range * length;
  const device_buffer sum(places * sizeof(double), on), least(places * sizeof(float), on),
      most(places * sizeof(float), on);
  launch(range_kernel, {blocks_of(places), threads_of_block, 0, on.get()},
         range_arguments{points.data, points.rows * points.columns, rows_of_range * points.columns, length,
                         sum.as<double>(), least.as<float>(), most.as<float>()},
         places);
  long_row_ranges all{std::vector<double>(places), std::vector<float>(places), std::vector<float>(places)};
  bring(all.sum, sum, on);
  bring(all.least, least, on);
  bring(all.most, most, on);
  on.wait();
  return all;
}

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
