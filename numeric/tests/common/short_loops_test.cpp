// Tests short loops on workers that stay awake: each loop calls its body once for each index, whichever
// worker helps.
#include "numeric/common/short_loops.hpp"

#include "tests/catch.hpp"
#include "tests/support/threaded_pool.hpp"

#include <cstdint>
#include <stdexcept>
#include <vector>

namespace duomap::test::apps_algorithms_short_loops_test {

TEST_CASE("short loops: each index once in each loop, and a loop sees what the one before wrote",
          "[numeric]") {
  for (const unsigned workers : {1u, 2u, 5u, 9u}) {
    for (const std::uint32_t count : {0u, 1u, 2u, 7u, 33u}) {
      const unsigned others = count % 2;
      CAPTURE(workers, count, others);
      threaded_pool pool(workers);
      std::vector<std::uint64_t> sums(count, 1), before;
      short_loops::run(pool, count, others, [&](short_loops& loops) {
        for (int loop = 0; loop < 200; ++loop) {
          before = sums;
          loops.for_each_index([&](std::uint32_t i) { sums[i] = before[i] + before[(i + 1) % count]; });
        }
      });
      std::vector<std::uint64_t> expected(count, 1), last;
      for (int loop = 0; loop < 200; ++loop) {
        last = expected;
        for (std::uint32_t i = 0; i < count; ++i) expected[i] = last[i] + last[(i + 1) % count];
      }
      CHECK(sums == expected);
    }
  }
}

TEST_CASE("short loops: what leads them may throw", "[numeric]") {
  threaded_pool pool(3);
  CHECK_THROWS_WITH(short_loops::run(pool, 4, 1,
                                     [](short_loops& loops) {
                                       loops.for_each_index([](std::uint32_t) {});
                                       throw std::runtime_error("no more");
                                     }),
                    "no more");
}

}  // namespace duomap::test::apps_algorithms_short_loops_test
