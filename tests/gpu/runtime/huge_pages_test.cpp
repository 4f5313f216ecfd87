// Tests memory whose pages are already allocated.
#include "gpu/runtime/huge_pages.hpp"

#include "tests/catch.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace duomap::test::gpu_runtime_huge_pages_test {

TEST_CASE("huge pages are aligned, made and zero", "[gpu][huge_pages]") {
  constexpr std::uint64_t page = gpu::huge_pages::page_bytes;
  for (const std::uint64_t bytes : {page, 4 * page}) {
    const gpu::huge_pages memory(bytes);
    REQUIRE(memory.data() != nullptr);
    CHECK(memory.bytes() == bytes);
    CHECK(reinterpret_cast<std::uintptr_t>(memory.data()) % page == 0);
    CHECK(std::all_of(memory.data(), memory.data() + bytes, [](char one) { return one == 0; }));
    std::vector<unsigned char> in_memory(bytes / 4096);
    REQUIRE(::mincore(memory.data(), bytes, in_memory.data()) == 0);
    CHECK(std::all_of(in_memory.begin(), in_memory.end(), [](unsigned char one) { return (one & 1) != 0; }));
  }
}

TEST_CASE("huge pages have one owner", "[gpu][huge_pages]") {
  gpu::huge_pages first(gpu::huge_pages::page_bytes);
  char* const data = first.data();
  gpu::huge_pages second(std::move(first));
  CHECK(second.data() == data);
  gpu::huge_pages third;
  CHECK(third.data() == nullptr);
  third = std::move(second);
  REQUIRE(third.data() == data);
  CHECK(third.release() == data);
  CHECK(third.data() == nullptr);
  CHECK(third.bytes() == 0);
  CHECK(::munmap(data, gpu::huge_pages::page_bytes) == 0);
}

TEST_CASE("no memory is no error", "[gpu][huge_pages]") {
  const gpu::huge_pages none(std::uint64_t{1} << 62);
  CHECK(none.data() == nullptr);
}

}  // namespace duomap::test::gpu_runtime_huge_pages_test
