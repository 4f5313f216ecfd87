// Reads device memory with one kernel and times it with events.
#include "bench/dense/memory_floor.hpp"
#include "gpu/runtime/buffer.cuh"
#include "gpu/runtime/device_limits.cuh"
#include "gpu/runtime/launch.cuh"
#include "gpu/runtime/stream.cuh"

namespace duomap::apps {
namespace {

constexpr unsigned threads = 1024;
constexpr unsigned loads = 4;  // per thread and step

/// Reads all words that fill whole steps of the grid. The sum keeps the compiler from removing the loads.
__global__ void __launch_bounds__(threads) read_all(const uint4* from, std::uint64_t words, unsigned* sum) {
  const std::uint64_t step = std::uint64_t{gridDim.x} * threads * loads;
  unsigned mine = 0;
  for (std::uint64_t at = std::uint64_t{blockIdx.x} * threads * loads + threadIdx.x;
       at + (loads - 1) * threads < words; at += step) {
    uint4 word[loads];
#pragma unroll
    for (unsigned i = 0; i < loads; ++i) word[i] = __ldcs(from + at + i * threads);
#pragma unroll
    for (unsigned i = 0; i < loads; ++i) mine += word[i].x ^ word[i].y ^ word[i].z ^ word[i].w;
  }
  if (mine == 1) *sum = mine;
}

}  // namespace

std::vector<double> time_reading(int device, std::uint64_t bytes, unsigned runs) {
  gpu::use_gpu(device);
  const gpu::stream on;
  const gpu::device_buffer memory(bytes, on);
  const gpu::device_buffer sum(sizeof(unsigned), on);
  // The GPU may read zeros faster, so the memory holds other bytes.
  gpu::check(cudaMemsetAsync(memory.as<void>(), 0x5A, bytes, on.get()), "writing memory");
  const gpu::device_limits has = gpu::device_limits::current();
  const unsigned blocks = has.multiprocessors * gpu::blocks_at_once(read_all, threads, 0, has);
  std::vector<double> seconds;
  gpu::event start;
  gpu::event end;
  for (unsigned run = 0; run < runs; ++run) {
    start.record(on);
    gpu::launch(read_all, {blocks, threads, 0, on.get()}, memory.as<uint4>(), bytes / sizeof(uint4),
                sum.as<unsigned>());
    end.record(on);
    end.wait();
    seconds.push_back(end.seconds_since(start));
  }
  return seconds;
}

}  // namespace duomap::apps
