// Tests which GPU brings which part of an array that all GPUs need. No GPU is needed: a part is a number in
// host memory.
#include "gpu/feed/shared_parts.hpp"

#include "tests/catch.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <thread>

namespace duomap::test::gpu_feed_shared_parts_test {
namespace {

using gpu::shared_parts;

constexpr std::chrono::seconds long_time{600};
constexpr std::chrono::seconds no_time{0};

gpu::array_on_gpu array_of(int device) { return {device, std::make_shared<const char>()}; }

}  // namespace

TEST_CASE("shared parts: each GPU claims one, and a part that nobody has goes to the next that asks",
          "[gpu][staging]") {
  shared_parts parts;
  const int gpus[3] = {};
  CHECK(parts.claim(&gpus[0], 3) == 0);
  CHECK(parts.claim(&gpus[1], 3) == 1);
  CHECK(parts.claim(&gpus[0], 3) == 2);  // the third GPU has not started yet
  CHECK(parts.claim(&gpus[2], 3) == std::nullopt);
  CHECK(parts.claim(&gpus[1], 3) == std::nullopt);
}

TEST_CASE("shared parts: a part is found when it is there, also by a GPU that comes late", "[gpu][staging]") {
  shared_parts parts;
  const int gpus[2] = {};
  REQUIRE(parts.claim(&gpus[0], 2) == 0);
  CHECK_FALSE(parts.find(0, no_time));
  std::thread other([&] { parts.arrived(0, array_of(5)); });
  const auto found = parts.find(0, long_time);
  other.join();
  REQUIRE(found);
  CHECK(found->device == 5);
  CHECK(parts.find(0, no_time));
  CHECK_FALSE(parts.find(1, long_time));  // returns at once, since no GPU brings this part
}

TEST_CASE("shared parts: a GPU goes on that waits for one that ends", "[gpu][staging]") {
  shared_parts parts;
  const int gpus[2] = {};
  REQUIRE(parts.claim(&gpus[0], 2) == 0);
  REQUIRE(parts.claim(&gpus[1], 2) == 1);
  std::thread other([&] { parts.withdraw(&gpus[0]); });
  CHECK_FALSE(parts.find(0, long_time));
  other.join();
  CHECK(parts.claim(&gpus[1], 2) == 0);
  CHECK(parts.claim(&gpus[1], 2) == std::nullopt);
}

TEST_CASE("shared parts: an array lives until the last that reads it has ended", "[gpu][staging]") {
  shared_parts parts;
  const int gpu = 0;
  REQUIRE(parts.claim(&gpu, 1) == 0);
  gpu::array_on_gpu mine = array_of(0);
  const std::weak_ptr<const char> alive = mine.bytes;
  parts.arrived(0, std::move(mine));
  std::optional<gpu::array_on_gpu> reading = parts.find(0, no_time);
  parts.withdraw(&gpu);
  CHECK_FALSE(alive.expired());
  reading.reset();
  CHECK(alive.expired());
}

}  // namespace duomap::test::gpu_feed_shared_parts_test
