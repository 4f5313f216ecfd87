// Tests that a mapped file's pages go back to the system.
#include "core/input/unmap.hpp"

#include "core/file_descriptor.hpp"
#include "tests/catch.hpp"
#include "tests/core/input/support.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <numeric>
#include <string>

namespace duomap::test::core_input_unmap_test {

TEST_CASE("what is unmapped is gone, and what stands beside it is not", "[input][mapped_file]") {
  const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  const std::uint64_t pages = GENERATE(as<std::uint64_t>{}, 1, 2, 7, 64);
  const double seconds_worth_threads = GENERATE(-1.0, 1e9);
  const bool is_read = GENERATE(false, true);
  CAPTURE(pages, seconds_worth_threads, is_read);
  const test::temporary_folder folder;
  const file_descriptor file = open_for_reading(folder.write("file", std::string((pages + 2) * page, 'x')));
  char* const begin =
      static_cast<char*>(::mmap(nullptr, (pages + 2) * page, PROT_READ, MAP_SHARED, file.get(), 0));
  REQUIRE(begin != MAP_FAILED);
  const std::uint64_t length = pages * page;
  if (is_read) CHECK(std::accumulate(begin, begin + length + 2 * page, std::uint64_t{0}) > 0);

  unmap(begin + page, length, {.piece_bytes = 2 * page, .seconds_worth_threads = seconds_worth_threads});

  for (std::uint64_t i = 0; i < pages; ++i) {
    CHECK(::msync(begin + (i + 1) * page, page, MS_ASYNC) == -1);
    CHECK(errno == ENOMEM);
  }
  CHECK(begin[page - 1] == 'x');
  CHECK(begin[page + length] == 'x');
  CHECK(::munmap(begin, page) == 0);
  CHECK(::munmap(begin + page + length, page) == 0);
}

}  // namespace duomap::test::core_input_unmap_test
