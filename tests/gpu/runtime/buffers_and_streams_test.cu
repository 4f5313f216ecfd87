// Tests gpu/runtime/buffer.cuh, pinned_memory.cuh and stream.cuh, which own streams, events and memory. All
// tests need a GPU.
#include "gpu/runtime/buffer.cuh"
#include "gpu/runtime/pinned_memory.cuh"
#include "gpu/runtime/stream.cuh"
#include "tests/catch.hpp"
#include "tests/support/no_gpu.hpp"

#include <cstring>
#include <random>
#include <string>
#include <utility>

using duomap::test::no_gpu;
namespace gpu = duomap::gpu;

TEST_CASE("page-locked and device memory carry bytes both ways", "[gpu][memory]") {
  if (no_gpu()) return;
  std::mt19937 random(duomap::test::seed());
  const gpu::stream on;
  // Sizes below, at and above the size from which page-locked memory has huge pages.
  for (const std::uint64_t bytes : {1u, 4096u, 5000u, (2u << 20) - 1, 2u << 20, (8u << 20) + 1}) {
    CAPTURE(bytes);
    const gpu::pinned_buffer there(bytes);
    const gpu::pinned_buffer back(bytes);
    gpu::device_buffer first(bytes, on);
    gpu::device_buffer memory = std::move(first);
    CHECK(first.size() == 0);
    CHECK(memory.size() == bytes);
    CHECK(reinterpret_cast<std::uintptr_t>(memory.as<char>()) % 256 == 0);
    for (std::uint64_t i = 0; i < bytes; ++i) there.as<char>()[i] = static_cast<char>(random());
    std::memset(back.as<void>(), 0, bytes);
    gpu::check(cudaMemcpyAsync(memory.as<void>(), there.as<void>(), bytes, cudaMemcpyDefault, on.get()),
               "there");
    gpu::check(cudaMemcpyAsync(back.as<void>(), memory.as<void>(), bytes, cudaMemcpyDefault, on.get()),
               "back");
    on.wait();
    CHECK(std::memcmp(there.as<void>(), back.as<void>(), bytes) == 0);
  }
}

TEST_CASE("page-locked memory is used again", "[gpu][memory]") {
  if (no_gpu()) return;
  const void* before = nullptr;
  {
    const gpu::pinned_buffer first(3 << 20);
    before = first.as<void>();
  }
  const gpu::pinned_buffer second(4 << 20);
  CHECK(second.as<void>() == before);
  const gpu::pinned_buffer third(4 << 20);
  CHECK(third.as<void>() != before);
}

TEST_CASE("memory that is locked for the pool is its next block", "[gpu][memory]") {
  if (no_gpu()) return;
  constexpr std::uint64_t bytes = std::uint64_t{32} << 20;
  gpu::huge_pages pages(bytes);
  char* const data = pages.data();
  REQUIRE(data != nullptr);
  gpu::lock_for_pool(std::move(pages));
  const gpu::pinned_buffer next(bytes);
  CHECK(next.as<char>() == data);
  cudaPointerAttributes about{};
  gpu::check(cudaPointerGetAttributes(&about, data), "asking about memory");
  CHECK(about.type == cudaMemoryTypeHost);
}

TEST_CASE("an event orders two streams and knows the time between", "[gpu][memory]") {
  if (no_gpu()) return;
  const gpu::stream writer;
  const gpu::stream reader;
  const std::uint64_t bytes = std::uint64_t{256} << 20;
  const gpu::device_buffer memory(bytes, writer);
  const gpu::pinned_buffer last(4096);
  gpu::event begin;
  gpu::event written;
  begin.wait();  // wait() returns, because the event was never recorded
  for (int value = 1; value < 20; ++value) {
    begin.record(writer);
    gpu::check(cudaMemsetAsync(memory.as<void>(), value, bytes, writer.get()), "writing");
    written.record(writer);
    written.make_wait(reader);
    gpu::check(cudaMemcpyAsync(last.as<void>(), memory.as<char>() + bytes - 4096, 4096, cudaMemcpyDefault,
                               reader.get()),
               "reading");
    reader.wait();
    CHECK(last.as<char>()[4095] == value);
    CHECK(written.seconds_since(begin) > 0);
  }
}

TEST_CASE("a buffer that is too large is out of memory, and the next one is not", "[gpu][memory]") {
  if (no_gpu()) return;
  const gpu::stream on;
  CHECK_THROWS_AS(gpu::device_buffer(std::uint64_t{1} << 46, on), gpu::device_out_of_memory);
  CHECK_NOTHROW(gpu::device_buffer(1 << 20, on));
  CHECK_NOTHROW(gpu::keep_released_device_memory());
}
