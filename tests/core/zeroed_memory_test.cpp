// Tests zeroed memory, both small and large enough to be mapped.
#include "core/zeroed_memory.hpp"

#include "core/error.hpp"
#include "tests/catch.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace duomap::test::core_zeroed_memory_test {

using test::contains;

namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20;
constexpr std::size_t sizes[] = {
    1, 15, 4095, 4096, 4097, huge_page - 1, huge_page, huge_page + 1, huge_page + 4097, 3 * huge_page + 5};

bool all_zero(const zeroed_memory& memory, std::size_t bytes) {
  const char* const first = static_cast<const char*>(memory.get());
  return std::all_of(first, first + bytes, [](char c) { return c == 0; });
}

}  // namespace

TEST_CASE("memory is zero, writable to its last byte, and zero again for its next owner", "[zeroed_memory]") {
  for (const std::size_t bytes : sizes) {
    CAPTURE(bytes);
    for (int round = 0; round < 3; ++round) {
      const zeroed_memory memory = allocate_zeroed(bytes, "a test");
      REQUIRE(memory != nullptr);
      if (round > 0) touch(memory);
      CHECK(all_zero(memory, bytes));
      std::memset(memory.get(), 0xFF, bytes);
    }
  }
}

TEST_CASE("pages of touched memory are there before they are used", "[zeroed_memory]") {
  const auto faults = [] {
    rusage used{};
    REQUIRE(::getrusage(RUSAGE_THREAD, &used) == 0);
    return used.ru_minflt;
  };
  for (const std::size_t bytes : {std::size_t{40'000}, huge_page / 2, 3 * huge_page + 5}) {
    CAPTURE(bytes);
    // touch() must leave no page to fault. Another page, of the program or a sanitizer, may fault in some
    // rounds, so the test takes the fewest faults of all rounds.
    long fewest = std::numeric_limits<long>::max();
    std::vector<zeroed_memory> kept;  // freed memory would be reused together with its pages
    for (int round = 0; round < 10; ++round) {
      const zeroed_memory& memory = kept.emplace_back(allocate_zeroed(bytes, "a test"));
      touch(memory);
      const long before = faults();
      const bool zero = all_zero(memory, bytes);
      std::memset(memory.get(), 0xFF, bytes);
      fewest = std::min(fewest, faults() - before);
      CHECK(zero);
    }
    CHECK(fewest == 0);
  }
}

TEST_CASE("large memory is aligned to huge pages", "[zeroed_memory]") {
  for (const std::size_t bytes : sizes) {
    if (bytes < huge_page) continue;
    const zeroed_memory memory = allocate_zeroed(bytes, "a test");
    CHECK(reinterpret_cast<std::uintptr_t>(memory.get()) % huge_page == 0);
  }
}

TEST_CASE("memory of both kinds can be exchanged for the other", "[zeroed_memory]") {
  zeroed_memory memory = allocate_zeroed(100, "a test");
  for (const std::size_t bytes :
       {huge_page, std::size_t{100}, 2 * huge_page + 1, huge_page, std::size_t{1}}) {
    memory = allocate_zeroed(bytes, "a test");
    CHECK(all_zero(memory, bytes));
    std::memset(memory.get(), 0xFF, bytes);
    zeroed_memory other = std::move(memory);
    memory = std::move(other);
  }
}

// If freed pages did not go back, the address space of a long run would grow without bound.
TEST_CASE("freed memory is given back", "[zeroed_memory]") {
  // All rounds together ask for 132 TiB, more than a process can address. The test touches none of it.
  for (int round = 0; round < 8500; ++round) {
    const zeroed_memory memory = allocate_zeroed((std::size_t{16} << 30) - 1, "a test");
    if (memory == nullptr) FAIL("no memory in round " << round);
  }
}

TEST_CASE("memory that cannot be had is an error that says how much, and for what", "[zeroed_memory]") {
  constexpr std::size_t bytes = std::size_t{1} << 62;
  CHECK_THROWS_AS(allocate_zeroed(bytes, "a table"), out_of_memory);
  CHECK_THROWS_WITH(allocate_zeroed(bytes, "a table of the test"), contains("a table of the test") &&
                                                                       contains("4398046511104 MiB") &&
                                                                       contains("ulimit -v"));
}

}  // namespace duomap::test::core_zeroed_memory_test
