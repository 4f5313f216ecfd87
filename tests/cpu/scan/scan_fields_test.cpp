// Tests that the scanner of fields gives the lines and fields of the definition.
#include "cpu/scan/scan_fields.hpp"

#include "core/record/fields.hpp"
#include "cpu/features.hpp"
#include "cpu/scan/scanner_for.hpp"
#include "tests/catch.hpp"
#include "tests/support/guarded_bytes.hpp"

#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace duomap::test::cpu_scan_scan_fields_test {

using cpu::field_tile_bytes;
using cpu::vector_path;

namespace {

// The place of a line, and those of its fields as for_each() and get() find them.
struct seen_line {
  std::uint64_t offset = 0, begin = 0, size = 0;
  std::vector<std::uint64_t> fields, found;

  friend bool operator==(const seen_line&, const seen_line&) = default;
};

seen_line seen(const field_list& record, const chunk& part, std::mt19937& random) {
  const byte_view text = record.whole().text;
  seen_line one{record.whole().offset, static_cast<std::uint64_t>(text.data - part.data), text.size, {}, {}};
  std::vector<byte_view> all;
  record.for_each([&](std::uint64_t index, byte_view field) {
    CHECK(index == all.size());
    all.push_back(field);
    one.fields.push_back(static_cast<std::uint64_t>(field.data - part.data));
    one.fields.push_back(field.size);
  });
  // A few fields in any order, and one behind the last.
  for (int i = 0; i < 3; ++i) {
    const std::uint64_t index = random() % (all.size() + 1);
    byte_view field;
    const bool is_there = record.get(index, field);
    one.found.push_back(index);
    one.found.push_back(is_there ? static_cast<std::uint64_t>(field.data - part.data) : ~std::uint64_t{0});
    one.found.push_back(field.size);
  }
  return one;
}

template <class Scan>
std::vector<seen_line> lines_of(const chunk& part, const Scan& scan) {
  std::mt19937 random(1);  // the same fields are asked for in every comparison
  std::vector<seen_line> all;
  scan([&](const field_list& record) { all.push_back(seen(record, part, random)); });
  return all;
}

class comparison {
 public:
  comparison() {
    for (const auto path : {vector_path::portable, vector_path::avx2, vector_path::avx512}) {
      if (path <= cpu::best_vector_path())
        scanners_.push_back(std::make_unique<cpu::field_scanner>(cpu::find_field_ends_for(path)));
    }
  }

  /// Compares all paths with the definition. The text has exactly the padding that a chunk promises.
  void run(std::string_view text, const fields& format) {
    const test::guarded_bytes guarded(text, read_padding);
    const chunk part{guarded.data(), text.size(), 1000, 3};
    const auto expected = lines_of(part, [&](const auto& use) { format.for_each_record(part, use); });
    for (const auto& scanner : scanners_) {
      const auto found =
          lines_of(part, [&](const auto& use) { scanner->for_each_record(format, part, use); });
      if (found != expected) FAIL("text '" << text << "'");
    }
    const auto chosen = lines_of(part, [&](const auto& use) { chosen_.for_each_record(format, part, use); });
    if (chosen != expected) FAIL("scanner_for, text '" << text << "'");
  }

 private:
  std::vector<std::unique_ptr<cpu::field_scanner>> scanners_;
  cpu::scanner_for<fields> chosen_;
};

std::string random_text(std::mt19937& random, std::size_t size, std::string_view alphabet) {
  std::string text(size, '\0');
  for (char& c : text) c = alphabet[random() % alphabet.size()];
  return text;
}

}  // namespace

TEST_CASE("fields of random texts are those of the definition", "[scan_fields]") {
  std::mt19937 random(static_cast<std::mt19937::result_type>(seed()));
  comparison all;
  const std::string_view alphabets[] = {
      "ab,\n", "abcdefghijklmnop,\n", ",\n\r\"a",    "abcdefgh,,,,\r\n",
      "a,",    "abcdefgh\",\n",       "\n\n\n,\"\r", "abcdefghijklmnopqrst\n"};
  for (int i = 0; i < 400; ++i) {
    const std::string_view alphabet = alphabets[random() % std::size(alphabets)];
    const std::size_t size = random() % (i % 4 == 0 ? 3 * field_tile_bytes : 300);
    const std::string text = random_text(random, size, alphabet);
    for (const char quote : {'\0', '"'}) all.run(text, {.delimiter = ',', .quote = quote});
  }
}

TEST_CASE("lines around the size of a tile are those of the definition", "[scan_fields]") {
  comparison all;
  for (std::size_t size = field_tile_bytes - 2; size <= field_tile_bytes + 2; ++size) {
    const std::string line(size, 'x');
    for (const char* const behind : {"", "\n", "\r\n", "\na,b\n", ",\n", "\n\"q,q\",1\n2,3"}) {
      for (const char quote : {'\0', '"'}) {
        all.run(line + behind, {.delimiter = ',', .quote = quote});
        all.run("a,\"b,\n1,2\n" + line + behind, {.delimiter = ',', .quote = quote});
      }
    }
  }
}

TEST_CASE("delimiters that also end lines are those of the definition", "[scan_fields]") {
  comparison all;
  for (const char delimiter : {'\n', '\r', '\0'}) {
    if (delimiter == '\r') continue;
    for (const char quote : {'\0', '"'})
      all.run("one\ntwo\r\n\n\"three\"\nfour", {.delimiter = delimiter, .quote = quote});
  }
  cpu::scanner_for<fields> chosen;
  const std::string text = "a\rb\r\n\r\n" + std::string(read_padding, '\0');
  const chunk part{text.data(), text.size() - read_padding, 0, 0};
  const fields format{.delimiter = '\r', .quote = '"'};
  CHECK(lines_of(part, [&](const auto& use) { chosen.for_each_record(format, part, use); }) ==
        lines_of(part, [&](const auto& use) { format.for_each_record(part, use); }));
}

}  // namespace duomap::test::cpu_scan_scan_fields_test
