// Makes the GPU code of the tasks that fail; each has code for one engine that can run it.
#include "gpu/device/device.hpp"
#include "gpu/engines/dense/device_loop.cuh"
#include "gpu/engines/hash/engine.cuh"
#include "gpu/gpu_backend.cuh"
#include "tests/gpu/support/failure_tasks.hpp"

#include <algorithm>

namespace duomap::test {

hogged_memory::hogged_memory(std::uint64_t bytes_left) {
  const int device = gpu::discover().devices.front().index;
  gpu::use_gpu(device);
  // Memory that the process has released to the pool counts as free too.
  cudaMemPool_t pool = nullptr;
  gpu::check(cudaDeviceGetDefaultMemPool(&pool, device), "asking for the device's memory pool");
  gpu::check(cudaMemPoolTrimTo(pool, 0), "emptying the device's memory pool");
  std::size_t free_bytes = 0;
  std::size_t total_bytes = 0;
  gpu::check(cudaMemGetInfo(&free_bytes, &total_bytes), "asking for the device's free memory");
  // The free memory may be in several pieces, so the attempts become smaller.
  for (std::uint64_t take = free_bytes - std::min<std::uint64_t>(free_bytes, bytes_left); take > 0;
       take -= std::min<std::uint64_t>(take, std::uint64_t{2} << 20)) {
    if (cudaMalloc(&held_, take) == cudaSuccess) return;
    static_cast<void>(cudaGetLastError());
  }
}

hogged_memory::~hogged_memory() { gpu::check_release(cudaFree(held_), "releasing the hogged memory"); }

}  // namespace duomap::test

namespace duomap::gpu {

template backends_of<test::faulty_words> make_backends(const test::faulty_words&, const std::vector<int>&,
                                                       const backend_options&);
template std::unique_ptr<resident_loop<test::faulty_steps>> make_resident(const test::faulty_steps&,
                                                                          const chunk&, int);

}  // namespace duomap::gpu
