// Copies two factors to the GPU and times cuBLAS products with events.
#include "bench/baselines/cublas_baseline.hpp"
#include "gpu/blas/cublas.cuh"
#include "gpu/runtime/buffer.cuh"
#include "gpu/runtime/check.cuh"
#include "gpu/runtime/stream.cuh"

#include <future>

namespace duomap::apps {
namespace {

std::vector<double> time_on_current_device(matrix_view<float> left, matrix_view<float> right, unsigned runs) {
  using gpu::check;
  using gpu::device_buffer;
  const gpu::stream on;
  const gpu::cublas blas(on, false);
  const device_buffer a(left.bytes().size, on);
  const device_buffer b(right.bytes().size, on);
  const device_buffer c(left.rows * right.columns * sizeof(float), on);
  check(cudaMemcpyAsync(a.as<void>(), left.data, a.size(), cudaMemcpyHostToDevice, on.get()),
        "copying a factor");
  check(cudaMemcpyAsync(b.as<void>(), right.data, b.size(), cudaMemcpyHostToDevice, on.get()),
        "copying a factor");
  std::vector<double> seconds;
  for (unsigned run = 0; run < runs; ++run) {
    gpu::event started;
    gpu::event ended;
    on.wait();
    started.record(on);
    blas.multiply(left.rows, right.columns, left.columns, {a.as<float>(), left.columns},
                  {b.as<float>(), right.columns}, {c.as<float>(), right.columns});
    ended.record(on);
    ended.wait();
    seconds.push_back(ended.seconds_since(started));
  }
  return seconds;
}

}  // namespace

std::vector<double> time_cublas(int device, matrix_view<float> left, matrix_view<float> right,
                                unsigned runs) {
  // A thread of its own does the work, because it changes CUDA's current device of its thread. The caller's
  // device could not be restored without making a context on it.
  return std::async(std::launch::async,
                    [&] {
                      gpu::use_gpu(device);
                      return time_on_current_device(left, right, runs);
                    })
      .get();
}

}  // namespace duomap::apps
