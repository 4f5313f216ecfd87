// Tests the notes on digits that float32 loses: they come only if the loss matters, in every format.
#include "numeric/common/float32_loss.hpp"

#include "numeric/common/npy_header.hpp"
#include "numeric/common/sparse_table.hpp"
#include "numeric/tests/common/support.hpp"
#include "tests/catch.hpp"

#include <charconv>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace duomap::test::numeric_common_float32_loss_test {
namespace {

std::string note_of(const std::string& text, const table_options& options = {}) {
  return note_on_loss(table_of<float>(text, options));
}

/// Writes numbers as one column of doubles in .npy.
std::string npy_of(const std::vector<double>& numbers) {
  std::string file = make_npy_header("<f8", {numbers.size(), 1});
  file.append(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(double));
  return file;
}

std::string text_of(double number) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, number).ptr};
}

}  // namespace

TEST_CASE("float32: numbers that become equal have a note") {
  const std::string equal = "float32 makes 123456789 and 123456791 equal; use float64 (--float64)";
  CHECK(note_of("1,123456789\n2,123456791\n") == "column 2: " + equal);
  CHECK(note_of("x,far\n1,123456789\n2,123456791\n") == "column 2 ('far'): " + equal);
  CHECK(note_of("1,123456789\n2,\"123456791\"\n") == "column 2: " + equal);
  CHECK(note_of("1 +123456789\n2 5\n3 1e9\n4 123456791\n") == "column 2: " + equal);
  CHECK(note_on_loss(table_of<float>(npy_of({123456789, 7, 123456791}), {}, "a.npy")) ==
        "column 1: " + equal);
  CHECK(note_on_loss(table_of<float>("1 1:123456789\n1 1:123456791\n", {}, "a.svm")) == "index 1: " + equal);
  CHECK(note_of("1,1e-50\n1,2e-50\n").starts_with("column 2: float32 makes 1e-50 and 2e-50 equal"));
  // The note has the number of the column in the file, where a column was left out.
  CHECK(note_of("a,1,123456789\nb,2,123456791\n", {.leave_out = {"1"}}) == "column 3: " + equal);
  CHECK(
      note_of("123456789,123456789\n123456791,123456791\n") ==
      "column 1: float32 makes 123456789 and 123456791 equal, and 1 other column loses as much; use float64 "
      "(--float64)");
}

TEST_CASE("float32: numbers that are rounded by much of their range have a note") {
  std::string text;
  for (int i = 0; i < 20; ++i) text += text_of(100'000 + i * 0.01) + "\n";
  CHECK(note_of(text) ==
        "column 1: float32 rounds its numbers, which differ by up to 0.19, by up to 0.0038; use float64 "
        "(--float64)");
  // In sparse rows, a column without a number has a 0, so its range is large.
  CHECK(sparse_table<float>(read_sparse_table<float>(
                                temporary_folder().write("a.svm", "1 1:100000.01\n1 1:100000.02\n1 2:1\n")))
            .loss.columns == 0);
}

TEST_CASE("float32: numbers that lose nothing that matters have no note") {
  CHECK(note_of("1,2\n3,4\n").empty());
  CHECK(note_of("0.1,0.2\n0.3,0.4\n").empty());
  CHECK(note_of("123456789\n123456789\n").empty());
  CHECK(note_of("123456792\n123456800\n").empty());  // float32 holds both numbers
  CHECK(note_of("1e-50\n1\n").empty());
  CHECK(note_on_loss(table_of<double>("123456789\n123456791\n")).empty());
  std::mt19937 random(seed());
  std::normal_distribution<double> any(3, 1);
  std::string text;
  std::vector<double> numbers;
  for (int i = 0; i < 100'000; ++i) {
    numbers.push_back(any(random));
    text += text_of(numbers.back()) + "\n";
  }
  CHECK(note_of(text).empty());
  CHECK(note_on_loss(table_of<float>(npy_of(numbers), {}, "a.npy")).empty());
}

TEST_CASE("float32: numbers of text are those that from_chars reads as floats") {
  std::mt19937_64 random(seed());
  std::string text;
  std::vector<float> expected;
  const auto add = [&](const std::string& number) {
    float value = 0;
    static_cast<void>(std::from_chars(number.data(), number.data() + number.size(), value));
    if (!std::isfinite(value)) return;
    text += number + "\n";
    expected.push_back(value);
  };
  for (int i = 0; i < 20'000; ++i) {
    const float one = std::ldexp(static_cast<float>(random()), static_cast<int>(random() % 250) - 200);
    if (!std::isfinite(one)) continue;
    const float next = std::nextafter(one, std::numeric_limits<float>::infinity());
    // Adds the middle between two floats, and a text just above it that rounds to the same double.
    const double middle = (static_cast<double>(one) + static_cast<double>(next)) / 2;
    char digits[800];
    const auto end =
        std::to_chars(digits, digits + sizeof digits, middle, std::chars_format::scientific, 120).ptr;
    const std::string exact(digits, end);
    add(exact);
    const std::size_t e = exact.find('e');
    add(exact.substr(0, e) + "1" + exact.substr(e));
    add(text_of(std::nextafter(middle, 0)));
    add(text_of(std::ldexp(static_cast<double>(random()), static_cast<int>(random() % 200) - 170)));
  }
  CHECK(numbers_of(table_of<float>(text)) == expected);
}

}  // namespace duomap::test::numeric_common_float32_loss_test
