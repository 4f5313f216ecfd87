// Tests rows that several GPUs need. One GPU stands for two: each has its own streams, feeder and memory.
#include "gpu/device/device.hpp"
#include "gpu/feed/read_gate.hpp"
#include "gpu/feed/shared_parts.hpp"
#include "gpu/feed/shared_rows.cuh"
#include "tests/catch.hpp"
#include "tests/support/no_gpu.hpp"

#include <algorithm>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace duomap::test::gpu_feed_shared_rows_test {
namespace {

/// What the engine of one GPU has around it, in a run on two GPUs.
struct side {
  gpu::stream compute;
  gpu::stream copies;
  gpu::read_gate gate;
  gpu::feeder feed{copies, 1, {}, gate};
  gpu::engine_surroundings with{compute, copies, feed, gate, 2};
};

struct rows_in_memory {
  std::string bytes;
  gpu::row_source from;
  std::string expected;  // all rows, one after the other

  rows_in_memory(std::uint64_t rows, std::uint64_t row_bytes, std::uint64_t stride)
    : bytes(rows * stride, 0) {
    std::mt19937 random(test::seed());
    for (char& one : bytes) one = static_cast<char>(random());
    for (std::uint64_t i = 0; i < rows; ++i) expected += bytes.substr(i * stride, row_bytes);
    from = {bytes.data(), rows, row_bytes, stride};
  }
};

std::string content(const gpu::shared_rows& rows, std::uint64_t bytes, const gpu::stream& on) {
  std::string all(bytes, 0);
  gpu::check(cudaMemcpyAsync(all.data(), rows.as<char>(), bytes, cudaMemcpyDefault, on.get()),
             "reading rows");
  on.wait();
  return all;
}

}  // namespace

TEST_CASE("shared rows: two GPUs get all rows, whichever waits first", "[gpu][staging]") {
  if (no_gpu()) return;
  const auto& devices = gpu::discover().devices;
  for (const auto& [rows, row_bytes, stride] :
       {std::tuple{1000u, 4096u, 4096u}, {3000u, 20'000u, 20'000u}, {77u, 100u, 130u}, {1u, 9u, 9u}}) {
    CAPTURE(rows, row_bytes);
    const rows_in_memory all(rows, row_bytes, stride);
    const auto parts = std::make_shared<gpu::shared_parts>();
    std::vector<std::string> found(2);
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < 2; ++i) {
      threads.emplace_back([&, i] {
        try {
          gpu::use_gpu(devices[i % devices.size()].index);
          const side mine;
          gpu::shared_rows to(all.from, &parts, mine.with);
          to.wait();
          to.wait();
          found[i] = content(to, all.expected.size(), mine.compute);
        } catch (const std::exception& failure) {
          found[i] = failure.what();
        }
      });
    }
    for (std::thread& one : threads) one.join();
    CHECK(found[0] == all.expected);
    CHECK(found[1] == all.expected);
  }
}

TEST_CASE("shared rows: a GPU does without one that fails, comes late or has ended", "[gpu][staging]") {
  if (no_gpu()) return;
  const rows_in_memory all(2000, 10'000, 10'000);
  const auto parts = std::make_shared<gpu::shared_parts>();
  const side first;
  const side second;
  std::optional<gpu::shared_rows> failing(std::in_place, all.from, &parts, first.with);
  gpu::shared_rows other(all.from, &parts, second.with);
  SECTION("failing: before it has said that its part is there") {
    failing.reset();
    other.wait();
  }
  SECTION("silent: it has claimed a part, and says no more") { other.wait(); }
  SECTION("ended: its part was copied, and it is gone") {
    failing->wait();
    other.wait();
    failing.reset();
    const side third;
    gpu::shared_rows late(all.from, &parts, third.with);
    late.wait();
    CHECK(content(late, all.expected.size(), third.compute) == all.expected);
  }
  CHECK(content(other, all.expected.size(), second.compute) == all.expected);
}

TEST_CASE("shared rows: a GPU that has timed out does not ask for what others share", "[gpu][staging]") {
  // Several GPUs may have no link between them, and then share nothing.
  if (no_gpu() || gpu::discover().devices.size() > 1) return;
  const rows_in_memory all(10, 100, 100);
  const auto parts = std::make_shared<gpu::shared_parts>();
  side mine;
  mine.gate.close();
  CHECK_THROWS_AS(gpu::shared_rows(all.from, &parts, mine.with), device_lost);
}

}  // namespace duomap::test::gpu_feed_shared_rows_test
