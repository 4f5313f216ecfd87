// Splits pairs into keys and values and times CUB's radix sort and reduce-by-key with events.
#include "bench/baselines/sort_baseline.hpp"
#include "gpu/runtime/buffer.cuh"
#include "gpu/runtime/launch.cuh"
#include "gpu/runtime/stream.cuh"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>

#include <algorithm>
#include <future>

namespace duomap::apps {
namespace {

__global__ void take_apart(const uint2* pairs, std::uint64_t count, std::uint32_t* keys,
                           std::int32_t* values) {
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count;
       i += std::uint64_t{gridDim.x} * blockDim.x) {
    const uint2 pair = pairs[i];
    keys[i] = pair.x;
    values[i] = static_cast<std::int32_t>(pair.y);
  }
}

sort_baseline_run time_on_current_device(byte_view pairs, unsigned runs) {
  using gpu::check;
  using gpu::device_buffer;
  const gpu::stream on;
  const std::uint64_t count = pairs.size / 8;
  const device_buffer keys(4 * count, on);
  const device_buffer values(4 * count, on);
  {
    const device_buffer both(pairs.size, on);
    check(cudaMemcpyAsync(both.as<void>(), pairs.data, pairs.size, cudaMemcpyHostToDevice, on.get()),
          "copying pairs");
    gpu::launch(take_apart, {1024, 256, 0, on.get()}, both.as<const uint2>(), count, keys.as<std::uint32_t>(),
                values.as<std::int32_t>());
    on.wait();
  }
  const device_buffer sorted_keys(4 * count, on);
  const device_buffer sorted_values(4 * count, on);
  const device_buffer found_keys(4 * count, on);
  const device_buffer found_sums(4 * count, on);
  const device_buffer found(sizeof(std::uint64_t), on);
  const auto sort = [&](void* memory, std::size_t& bytes) {
    check(cub::DeviceRadixSort::SortPairs(memory, bytes, keys.as<const std::uint32_t>(),
                                          sorted_keys.as<std::uint32_t>(), values.as<const std::int32_t>(),
                                          sorted_values.as<std::int32_t>(), count, 0, 32, on.get()),
          "sorting pairs");
  };
  const auto reduce = [&](void* memory, std::size_t& bytes) {
    check(cub::DeviceReduce::ReduceByKey(
              memory, bytes, sorted_keys.as<const std::uint32_t>(), found_keys.as<std::uint32_t>(),
              sorted_values.as<const std::int32_t>(), found_sums.as<std::int32_t>(),
              found.as<std::uint64_t>(), ::cuda::std::plus<>{}, count, on.get()),
          "reducing pairs");
  };
  std::size_t sort_bytes = 0;
  std::size_t reduce_bytes = 0;
  sort(nullptr, sort_bytes);
  reduce(nullptr, reduce_bytes);
  const device_buffer memory(std::max(sort_bytes, reduce_bytes), on);
  sort_baseline_run all;
  gpu::event started;
  gpu::event end;
  for (unsigned run = 0; run < runs; ++run) {
    on.wait();
    started.record(on);
    sort(memory.as<void>(), sort_bytes);
    reduce(memory.as<void>(), reduce_bytes);
    end.record(on);
    end.wait();
    all.seconds.push_back(end.seconds_since(started));
  }
  check(cudaMemcpyAsync(&all.keys, found.as<void>(), sizeof all.keys, cudaMemcpyDeviceToHost, on.get()),
        "reading the number of keys");
  on.wait();
  return all;
}

}  // namespace

sort_baseline_run time_sort_baseline(int device, byte_view pairs, unsigned runs) {
  // A thread of its own leaves the caller's current device unchanged.
  return std::async(std::launch::async,
                    [&] {
                      gpu::use_gpu(device);
                      return time_on_current_device(pairs, runs);
                    })
      .get();
}

}  // namespace duomap::apps
