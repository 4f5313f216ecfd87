// Tests IDX files: types, shapes, labels, damage.
#include "numeric/tests/common/support.hpp"
#include "tests/catch.hpp"

#include <string>
#include <vector>

namespace duomap::test::numeric_common_idx_header_test {

using test::numbers_of;

namespace {

using floats = std::vector<float>;

std::string big_endian(std::uint32_t number) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(number >> shift & 0xFF);
  return bytes;
}

std::string idx(char type, const std::vector<std::uint32_t>& shape, const std::string& elements) {
  std::string file{'\0', '\0', type, static_cast<char>(shape.size())};
  for (const std::uint32_t size : shape) file += big_endian(size);
  return file + elements;
}

std::string problem(const std::string& file) {
  return test::problem_with(file, {.format = data_format::idx}, "images-idx3-ubyte");
}

}  // namespace

TEST_CASE("IDX images are rows of their pixels") {
  const std::string pixels{'\0', '\1', '\2', '\3', '\4', '\xFF'};
  const auto images = test::table_of(idx(0x08, {1, 2, 3}, pixels), {}, "images-idx3-ubyte");
  CHECK(images.values.rows() == 1);
  CHECK(images.values.columns() == 6);
  CHECK(numbers_of(images) == floats{0, 1, 2, 3, 4, 255});
  CHECK(numbers_of(test::table_of(idx(0x09, {6}, pixels))) == floats{0, 1, 2, 3, 4, -1});
  CHECK(numbers_of(test::table_of(idx(0x0B, {3}, pixels))) == floats{1, 0x203, 0x4FF});
  CHECK(numbers_of(test::table_of(idx(0x0C, {2}, big_endian(7) + big_endian(0xFFFFFFFE)))) == floats{7, -2});
  CHECK(numbers_of(test::table_of(idx(0x0D, {1}, big_endian(0xC0200000)))) == floats{-2.5F});
  CHECK(numbers_of(test::table_of(idx(0x0E, {1}, big_endian(0x40040000) + big_endian(0)))) == floats{2.5F});
}

TEST_CASE("IDX labels come from a second file") {
  const test::temporary_folder folder;
  const std::string images = folder.write("images", idx(0x08, {3, 1, 1}, "abc"));
  const std::string labels = folder.write("labels", idx(0x08, {3}, {'\7', '\1', '\7'}));
  const auto table = read_table<float>(images, {.labels_path = labels});
  CHECK(test::labels_of(table) == std::vector<std::string>{"7", "1", "7"});
  const std::string few = folder.write("few", idx(0x08, {2}, {'\7', '\1'}));
  CHECK(test::problem_of([&] {
          return read_table<float>(images, {.labels_path = few});
        }).find("2 labels for 3 rows") != std::string::npos);
}

TEST_CASE("IDX files that are damaged are refused") {
  const std::string good = idx(0x08, {3, 1, 2}, "abcdef");
  for (std::size_t size = 0; size < good.size(); ++size) {
    CAPTURE(size);
    CHECK(problem(good.substr(0, size)).starts_with("5: cannot read"));
  }
  CHECK(problem(good + "x").find("1 bytes behind its 3 rows") != std::string::npos);
  CHECK(problem(idx(0x0A, {1}, "abcdef")).find("does not begin") != std::string::npos);
  CHECK(problem(idx(0x08, {0, 2}, "")).find("holds no number") != std::string::npos);
  CHECK(problem(idx(0x08, {0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF}, "a")).find("larger than any file") !=
        std::string::npos);
  CHECK(problem(idx(0x08, {0xFFFFFFFF, 0x7FFFFFFF}, "a")).find("asks for") != std::string::npos);
}

}  // namespace duomap::test::numeric_common_idx_header_test
