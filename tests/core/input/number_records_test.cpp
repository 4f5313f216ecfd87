// Tests that a task of binary numbers refuses files of other content, and accepts binary numbers.
#include "core/input/number_records.hpp"

#include "core/error.hpp"
#include "core/input/content_stream.hpp"
#include "core/input/input.hpp"
#include "tests/catch.hpp"

#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace duomap::test::core_input_number_records_test {
namespace {

/// The error for a file with these first bytes; empty if the bytes may be numbers.
std::string problem_of(std::string_view first) {
  try {
    refuse_no_numbers(first.substr(0, recognition_bytes), "'file'");
  } catch (const input_error& problem) {
    return problem.what();
  }
  return "";
}

std::string of_bytes(std::string_view begin) { return std::string(begin) + std::string(300, '\x80'); }

TEST_CASE("number records: texts are refused") {
  for (const std::string text :
       {"key,value\n1,2\n", "1,2\n3,4\n", "5 6\n", "\xEF\xBB\xBFk\tv\r\n", "caf\xC3\xA9\n", "{\"a\": 1}\r"}) {
    INFO(text);
    CHECK_THAT(problem_of(text), contains("cannot read binary numbers from 'file': it is a text"));
  }
  CHECK_THAT(problem_of(std::string(300, 'x')), contains("it is a text"));
  // The check reads recognition_bytes bytes, and so only half of the last character.
  std::string accents(recognition_bytes - 1, 'x');
  CHECK_THAT(problem_of(accents + "\xC3\xA9"), contains("it is a text"));
  std::string wide = "\xFF\xFE";
  for (const char c : std::string_view("k,v\n1,2\n")) wide += {c, '\0'};
  CHECK_THAT(problem_of(wide), contains("it is a text"));
}

TEST_CASE("number records: arrays, compressed files and files of columns are refused") {
  const std::string zeros(4, '\0');
  CHECK_THAT(problem_of(of_bytes("\x93NUMPY\x01")), contains("an .npy array"));
  CHECK_THAT(problem_of(of_bytes("\x1f\x8b\x08" + zeros + std::string("\0\0\x03", 3))),
             contains("compressed by gzip"));
  CHECK_THAT(problem_of(of_bytes("\x28\xb5\x2f\xfd")), contains("compressed by zstd"));
  CHECK_THAT(problem_of(of_bytes(std::string_view("\xfd\x37\x7a\x58\x5a\0", 6))),
             contains("compressed by xz"));
  CHECK_THAT(problem_of(of_bytes("\x04\x22\x4d\x18")), contains("compressed by lz4"));
  CHECK_THAT(problem_of(of_bytes("BZh9\x31\x41\x59\x26\x53\x59")), contains("compressed by bzip2"));
  CHECK_THAT(problem_of(of_bytes("PK\x03\x04")), contains("a ZIP archive"));
  CHECK_THAT(problem_of(of_bytes("PAR1\x15")), contains("a Parquet file"));
  CHECK_THAT(problem_of(of_bytes(std::string_view("ARROW1\0\0", 8))), contains("a file of Arrow"));
  CHECK_THAT(problem_of(of_bytes("\x89HDF\r\n\x1a\n")), contains("an HDF5 file"));
}

template <class T>
std::string bytes_of(const std::vector<T>& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(T)};
}

TEST_CASE("number records: numbers are read") {
  CHECK(problem_of("").empty());
  CHECK(problem_of("1234abcd").empty());  // two numbers whose bytes happen to be letters
  // These keys begin like a file format that the check knows by three bytes.
  for (const std::uint32_t key : {559903u, 93u, 40223u, 0x685A42u, 65279u, 65534u})
    for (const std::uint32_t value : {0u, 1u, 12345u})
      CHECK(problem_of(bytes_of<std::uint32_t>({key, value, key + 1, value})).empty());
  auto random = std::mt19937_64(seed());
  for (int i = 0; i < 100'000; ++i) {
    std::vector<std::uint32_t> pairs;
    const auto bits = static_cast<unsigned>(random() % 32 + 1);
    // Fewer bytes can be a text by chance: one file of eight random bytes in some thousands has only letters
    // and a newline.
    for (std::uint64_t n = 16 + random() % 40 * 2; n > 0; --n)
      pairs.push_back(static_cast<std::uint32_t>(random() >> (64 - bits)));
    INFO("numbers of " << bits << " bits");
    REQUIRE(problem_of(bytes_of(pairs)).empty());
    std::vector<float> values;
    for (int n = 0; n < 40; ++n) values.push_back(static_cast<float>(random() % 1'000'000) / 1000.0F);
    REQUIRE(problem_of(bytes_of(values)).empty());
  }
}

}  // namespace
}  // namespace duomap::test::core_input_number_records_test
