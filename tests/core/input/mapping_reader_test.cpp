// Tests that the bytes of a mapping can be read from its file, without touching the mapping.
#include "core/input/mapping_reader.hpp"

#include "core/error.hpp"
#include "core/input/mapped_file.hpp"
#include "tests/catch.hpp"
#include "tests/core/input/support.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

namespace duomap::test::core_input_mapping_reader_test {

using duomap::test::contains;

namespace {

std::unique_ptr<mapped_file> map_whole(const std::string& path) {
  const file_descriptor file = open_for_reading(path);
  REQUIRE(file);
  file_state stamp(file.get(), path);
  return mapped_file::map(file.get(), path, stamp);
}

}  // namespace

TEST_CASE("a mapping's file gives the mapping's bytes", "[input][mapping_reader]") {
  std::mt19937 random(test::seed());
  const test::temporary_folder folder;
  std::string text(300'000, '\0');
  for (char& c : text) c = static_cast<char>(random());
  const auto mapped = map_whole(folder.write("file", text));
  const char* const begin = mapped->bytes().data;
  const auto reader = mapping_reader::open(find_mapping(begin + 5));
  REQUIRE(reader != nullptr);
  CHECK(reader->covers(begin));
  CHECK(reader->covers(begin + text.size() - 1));
  CHECK_FALSE(reader->covers(begin - 1));
  for (unsigned round = 0; round < 200; ++round) {
    const std::uint64_t at = random() % text.size();
    const std::uint64_t bytes = random() % (text.size() - at + 1);
    CAPTURE(at, bytes);
    std::string found(bytes, '?');
    reader->read(begin + at, bytes, found.data());
    CHECK((found == text.substr(at, bytes)));
  }
}

TEST_CASE("a name that leads elsewhere opens nothing", "[input][mapping_reader]") {
  const test::temporary_folder folder;
  const std::string path = folder.write("file", "the first file of this name");
  const auto mapped = map_whole(path);
  const auto listed = find_mapping(mapped->bytes().data);
  CHECK(mapping_reader::open(listed) != nullptr);
  std::filesystem::rename(path, folder.path("moved"));
  CHECK(mapping_reader::open(listed) == nullptr);
  folder.write("file", "the second file of this nam");
  CHECK(mapping_reader::open(listed) == nullptr);
  std::filesystem::remove(path);
  REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  CHECK(mapping_reader::open(listed) == nullptr);
  CHECK(mapping_reader::open({}) == nullptr);
  const std::string unlisted = "not mapped";
  CHECK(mapping_reader::open(find_mapping(unlisted.data())) == nullptr);
}

TEST_CASE("a file that became shorter is an error, not a signal", "[input][mapping_reader]") {
  const test::temporary_folder folder;
  const std::string path = folder.write("shrinking", std::string(100'000, 'x'));
  const auto mapped = map_whole(path);
  const auto reader = mapping_reader::open(find_mapping(mapped->bytes().data));
  REQUIRE(reader != nullptr);
  REQUIRE(::truncate(path.c_str(), 50'000) == 0);
  std::string found(10, '?');
  reader->read(mapped->bytes().data + 49'990, 10, found.data());
  CHECK(found == "xxxxxxxxxx");
  CHECK_THROWS_AS(reader->read(mapped->bytes().data + 49'991, 10, found.data()), input_error);
  CHECK_THROWS_WITH(reader->read(mapped->bytes().data + 60'000, 10, found.data()),
                    contains("shrinking' at byte 60000") && contains("became shorter"));
}

}  // namespace duomap::test::core_input_mapping_reader_test
