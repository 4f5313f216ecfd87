// Tests that measuring memory gives a finite number for every figure. Their sizes depend on the machine.
#include "cpu/memory_speed.hpp"

#include "core/error.hpp"
#include "tests/catch.hpp"

#include <cmath>
#include <stdexcept>

namespace duomap::test::cpu_memory_speed_test {
namespace {

cpu::memory_speed_options quick(unsigned threads) {
  return {.threads = threads, .bytes_per_thread = 1 << 20, .samples = 3};
}

}  // namespace

TEST_CASE("memory speed: growing numbers of threads, the last one all", "[machine]") {
  for (const unsigned threads : {1U, 2U, 3U}) {
    const auto figures = cpu::measure_memory(quick(threads));
    std::size_t expected = 0;
    for (const unsigned count : {1U, 2U, 3U}) {
      if (count > threads) continue;
      for (const machine_property term : {machine_property::copy, machine_property::read}) {
        const machine_figure* const one = find(figures, term, count);
        REQUIRE(one != nullptr);
        CHECK(std::isfinite(one->value));
        CHECK(one->value > 0);
        CHECK(one->samples == 3);
        ++expected;
      }
    }
    CHECK(figures.size() == expected);
  }
  CHECK_THROWS(cpu::measure_memory(quick(0)));
}

TEST_CASE("memory speed: threads read while something else is done", "[machine]") {
  unsigned calls = 0;
  const double rate = cpu::read_during(quick(2), [&] { ++calls; });
  CHECK(calls == 1);
  CHECK(std::isfinite(rate));
  CHECK(rate >= 0);
  CHECK_THROWS_AS(cpu::read_during(quick(2), [] { throw std::runtime_error("body"); }), std::runtime_error);
}

TEST_CASE("memory speed: memory that there is not is an error, not a hang", "[machine]") {
  cpu::memory_speed_options greedy = quick(2);
  greedy.bytes_per_thread = std::uint64_t{1} << 60;
  CHECK_THROWS(cpu::measure_memory(greedy));
  CHECK_THROWS_AS(cpu::read_during(greedy, [] {}), out_of_memory);
}

}  // namespace duomap::test::cpu_memory_speed_test
