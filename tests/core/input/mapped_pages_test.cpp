// Giving back pages of mapped files.
#include "core/input/mapped_pages.hpp"

#include "core/file_descriptor.hpp"
#include "core/input/mapped_file.hpp"
#include "duomap.hpp"
#include "tests/catch.hpp"
#include "tests/core/input/support.hpp"

#include <unistd.h>

#include <cstdint>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

namespace duomap::test::core_input_mapped_pages_test {
namespace {

std::uint64_t page_bytes() { return static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)); }

/// How many pages of these bytes, which begin on a page, this process has in its page tables.
std::uint64_t present_pages(byte_view all) {
  const file_descriptor map = open_for_reading("/proc/self/pagemap");
  REQUIRE(map);
  std::uint64_t present = 0;
  for (const char* at = all.begin(); at < all.end(); at += page_bytes()) {
    std::uint64_t entry = 0;
    const auto number = reinterpret_cast<std::uintptr_t>(at) / page_bytes();
    REQUIRE(::pread(map.get(), &entry, sizeof entry, static_cast<off_t>(number * sizeof entry)) ==
            static_cast<ssize_t>(sizeof entry));
    present += entry >> 63;
  }
  return present;
}

std::unique_ptr<mapped_file> map(const std::string& path) {
  const file_descriptor file = open_for_reading(path);
  opening_stamp stamp(file.get(), path);
  return mapped_file::map(file.get(), path, stamp);
}

struct bytes_of_lines {
  using format = lines;
  using key = no_key;
  using reduce = sum<std::uint64_t>;
  DUOMAP_HD void map(const line& one, auto& emit) const { emit(one.text.size); }
};

}  // namespace

TEST_CASE("pages of a mapped file that lie within a part are given back, and read again",
          "[input][mapped_file]") {
  const test::temporary_folder folder;
  std::string text(64 * page_bytes(), '\0');
  std::iota(text.begin(), text.end(), '\1');
  const std::unique_ptr<mapped_file> mapped = map(folder.write("file", text));
  const byte_view all = mapped->bytes();
  REQUIRE((all.text() == text));
  REQUIRE(present_pages(all) == 64);

  give_pages_back(all.sub(page_bytes() / 2, 4 * page_bytes()));  // three whole pages
  CHECK(present_pages(all) == 61);
  give_pages_back(all.sub(20 * page_bytes() + 1, page_bytes()));  // none
  CHECK(present_pages(all) == 61);
  give_pages_back(all);
  CHECK(present_pages(all) == 0);
  CHECK((all.text() == text));
}

TEST_CASE("other memory is not given back", "[input][mapped_file]") {
  std::vector<char> memory(16 * page_bytes(), 'x');
  give_pages_back({memory.data(), memory.size()});
  give_pages_back({});
  CHECK(memory == std::vector<char>(16 * page_bytes(), 'x'));
}

TEST_CASE("a run that reads its input once gives its pages back", "[input][mapped_file]") {
  const test::temporary_folder folder;
  std::string text;
  while (text.size() < 4 * map_threshold + (1 << 20)) text += "a line of text\n";
  const std::string path = folder.write("file", text);
  const std::uint64_t expected = text.size() / 15 * 14;
  const input from = open_input({path});
  const byte_view all = from[0].bytes();

  CHECK(run(bytes_of_lines{}, from, {.device = device_choice::cpu})[0] == expected);
  const std::uint64_t kept = present_pages(all);
  CHECK(kept >= all.size / page_bytes());
  CHECK(run(bytes_of_lines{}, from, {.device = device_choice::cpu, .read_once = true})[0] == expected);
  // A page is left at each end of a chunk, and what a fault brings beside it.
  CHECK(present_pages(all) < kept / 2);
  CHECK(run(bytes_of_lines{}, open_input({path}), {.device = device_choice::cpu})[0] == expected);
}

}  // namespace duomap::test::core_input_mapped_pages_test
