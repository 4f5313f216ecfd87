// Tests kernel launches and their checks. A test that needs a GPU passes without one.
#include "core/error.hpp"
#include "gpu/device/device.hpp"
#include "gpu/runtime/launch.cuh"
#include "gpu/runtime/stream.cuh"
#include "tests/catch.hpp"
#include "tests/support/no_gpu.hpp"

#include <cstdlib>
#include <string>
#include <vector>

using duomap::test::contains;
using duomap::test::no_gpu;
namespace gpu = duomap::gpu;

namespace {

__global__ void stop_with_a_fault() { __trap(); }

__global__ void add(int* sums, long long value) { atomicAdd(sums + threadIdx.x, static_cast<int>(value)); }

/// Later blocks write later.
__global__ void write_late(int* numbers, int value) {
  for (const long long begin = clock64(); clock64() - begin < 100LL * blockIdx.x;) {
  }
  numbers[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

/// Each thread adds the number of its mirror image, so the first block needs numbers of the last.
__global__ void add_opposite(const int* numbers, int* sums) {
  gpu::wait_for_earlier_kernels();
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  sums[i] += numbers[gridDim.x * blockDim.x - 1 - i];
}

}  // namespace

TEST_CASE("success is not described", "[gpu]") {
  CHECK_NOTHROW(gpu::check(cudaSuccess, "nothing"));
  CHECK_NOTHROW(gpu::check(cudaSuccess, []() -> std::string { throw std::logic_error("described"); }));
}

TEST_CASE("a failed call names itself, its place and CUDA's error", "[gpu]") {
  CHECK_THROWS_WITH(gpu::check(cudaErrorInvalidValue, "copying"), contains("copying failed at ") &&
                                                                      contains("launch_test.cu:") &&
                                                                      contains("cudaErrorInvalidValue (1)"));
  CHECK_THROWS_WITH(gpu::check(cudaErrorMemoryAllocation, [] { return "allocating " + std::to_string(7); }),
                    contains("allocating 7 failed at ") && contains("cudaErrorMemoryAllocation"));
  CHECK_THROWS_AS(gpu::check(cudaErrorMemoryAllocation, "allocating"), gpu::device_out_of_memory);
  CHECK_THROWS_AS(gpu::check(cudaErrorLaunchFailure, "waiting"), duomap::device_lost);
}

TEST_CASE("launches wait for their kernels when the environment says so", "[gpu]") {
  CHECK_FALSE(gpu::asks_for_synchronous_launches(nullptr));
  CHECK_FALSE(gpu::asks_for_synchronous_launches(""));
  CHECK_FALSE(gpu::asks_for_synchronous_launches("0"));
  CHECK(gpu::asks_for_synchronous_launches("1"));
  CHECK(gpu::synchronous_launches() == gpu::asks_for_synchronous_launches(std::getenv("DUOMAP_CUDA_SYNC")));
}

TEST_CASE("an empty grid launches nothing, with or without a device", "[gpu]") {
  int* const nowhere = nullptr;
  CHECK_NOTHROW(gpu::launch(add, {0, 32, 0, nullptr}, nowhere, 1));
  CHECK_NOTHROW(gpu::launch(add, {dim3(4, 0), 32, 0, nullptr}, nowhere, 1));
  CHECK_NOTHROW(gpu::launch(add, {dim3(4, 4, 0), 32, 0, nullptr}, nowhere, 1));
}

TEST_CASE("a launch that CUDA refuses is an error at its own call", "[gpu]") {
  // Every launch fails: without a driver, or because 2000 threads are too many for a block.
  int* const nowhere = nullptr;
  CHECK_THROWS_WITH(gpu::launch(add, {3, 2000, 16, nullptr}, nowhere, 1),
                    contains("3 x 1 x 1 blocks of 2000 x 1 x 1 threads with 16 bytes of shared memory") &&
                        contains("launch_test.cu:"));
  CHECK(cudaGetLastError() == (gpu::discover().devices.empty() ? cudaErrorInsufficientDriver : cudaSuccess));
}

TEST_CASE("a kernel runs once per launch with its arguments converted", "[gpu]") {
  if (no_gpu()) return;
  int* sums = nullptr;
  gpu::check(cudaMalloc(&sums, 32 * sizeof(int)), "allocating 128 bytes on GPU 0");
  gpu::check(cudaMemset(sums, 0, 32 * sizeof(int)), "clearing 128 bytes on GPU 0");
  gpu::launch(add, {4, 32, 0, nullptr}, sums, 5);
  int result[32];
  gpu::check(cudaMemcpy(result, sums, sizeof result, cudaMemcpyDeviceToHost), "copying 128 bytes from GPU 0");
  for (const int sum : result) CHECK(sum == 20);
  gpu::check(cudaFree(sums), "freeing");
}

TEST_CASE("a kernel that is launched early sees what those before it have written", "[gpu]") {
  if (no_gpu()) return;
  constexpr unsigned blocks = 300;
  constexpr unsigned threads = 64;
  constexpr int rounds = 200;
  constexpr std::size_t bytes = sizeof(int) * blocks * threads;
  int* numbers = nullptr;
  gpu::check(cudaMalloc(&numbers, 2 * bytes), "allocating on GPU 0");
  gpu::check(cudaMemset(numbers, 0, 2 * bytes), "clearing on GPU 0");
  int* const sums = numbers + blocks * threads;
  gpu::launch_shape early(blocks, threads, 0, nullptr);
  early.early = gpu::waits_for_earlier(add_opposite);
  for (int round = 0; round < rounds; ++round) {
    gpu::launch(write_late, {blocks, threads, 0, nullptr}, numbers, round);
    gpu::launch(add_opposite, early, numbers, sums);
  }
  std::vector<int> result(blocks * threads);
  gpu::check(cudaMemcpy(result.data(), sums, bytes, cudaMemcpyDeviceToHost), "copying from GPU 0");
  CHECK((result == std::vector<int>(result.size(), rounds * (rounds - 1) / 2)));
  gpu::check(cudaFree(numbers), "freeing");
}

TEST_CASE("too large an allocation leaves the device usable", "[gpu]") {
  if (no_gpu()) return;
  void* memory = nullptr;
  constexpr std::size_t bytes = std::size_t{1} << 46;
  CHECK_THROWS_AS(
      gpu::check(cudaMalloc(&memory, bytes), [] { return "allocating " + std::to_string(bytes); }),
      gpu::device_out_of_memory);
  CHECK_NOTHROW(gpu::check(cudaDeviceSynchronize(), "waiting for GPU 0"));
  CHECK_NOTHROW(gpu::check(cudaGetLastError(), "the last error"));
}

// Hidden, because the device is unusable afterwards. CMakeLists.txt runs this test in a process of its own.
TEST_CASE("a kernel that faults loses the device", "[.][lost]") {
  if (no_gpu()) return;
  const auto lose_it = [] {
    const gpu::stream on;
    gpu::launch(stop_with_a_fault, {1, 1, 0, on.get()});
    on.wait();
  };
  CHECK_THROWS_AS(lose_it(), duomap::device_lost);
  void* memory = nullptr;
  CHECK_THROWS_AS(gpu::check(cudaMalloc(&memory, 16), "allocating"), duomap::device_lost);
}
