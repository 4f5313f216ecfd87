// What calls CUDA: without it there is no baseline, and nothing to compare with one.
#include "apps/bench/baselines/cublas_baseline.hpp"

#include "core/error.hpp"

#if DUOMAP_HAS_CUDA

#include "gpu/blas/cublas.cuh"
#include "gpu/runtime/buffer.cuh"
#include "gpu/runtime/check.cuh"
#include "gpu/runtime/stream.cuh"

#include <exception>
#include <thread>

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
  std::vector<double> seconds;
  std::exception_ptr failure;
  // On a thread of its own, because a thread's current device cannot be put back without making a context.
  std::thread([&] {
    try {
      gpu::check(cudaSetDevice(device), "using a GPU");
      seconds = time_on_current_device(left, right, runs);
    } catch (...) {
      failure = std::current_exception();
    }
  }).join();
  if (failure) std::rethrow_exception(failure);
  return seconds;
}

}  // namespace duomap::apps

#else

namespace duomap::apps {

std::vector<double> time_cublas(int /*device*/, matrix_view<float> /*left*/, matrix_view<float> /*right*/,
                                unsigned /*runs*/) {
  throw device_unavailable("this program was built without CUDA");
}

}  // namespace duomap::apps

#endif
