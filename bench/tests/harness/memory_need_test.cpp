// Tests the measurement of a call's peak memory.
#include "bench/harness/memory_need.hpp"

#include "apps/report/memory.hpp"
#include "tests/catch.hpp"

#include <cstddef>
#include <cstring>
#include <memory>

namespace duomap::apps::bench_harness_memory_need_test {

TEST_CASE("what a call needed is what it had at its peak, whatever came before", "[apps][own-memory]") {
  constexpr std::size_t size = std::size_t{64} << 20;
  const auto touch = [](std::size_t bytes) {
    const auto block = std::make_unique<char[]>(bytes);
    std::memset(block.get(), 1, bytes);
    REQUIRE(block[bytes / 2] == 1);
  };
  if (!forget_peak_resident()) {
    WARN("skipped: this system does not let a process forget its peak");
    return;
  }
  touch(2 * size);
  const memory_need large = memory_needed_by([&] { touch(size); });
  REQUIRE(large.host);
  CHECK(*large.host >= size * 9 / 10);
  CHECK(*large.host < size * 3 / 2);
  const memory_need small = memory_needed_by([] {});
  CHECK(small.host.value_or(0) < size / 2);
  CHECK_FALSE(small.device);
}

}  // namespace duomap::apps::bench_harness_memory_need_test
