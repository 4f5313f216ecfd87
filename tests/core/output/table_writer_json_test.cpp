// Tests core/output/table_writer.cpp: an independent parser reads the JSON lines back. Only builds with
// applications have this parser.
#include "core/output/table_writer.hpp"
#include "tests/catch.hpp"
#include "tests/core/output/support.hpp"

#include <nlohmann/json.hpp>

#include <bit>
#include <cstdint>
#include <limits>
#include <random>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace duomap::core_output_table_writer_json_test {
namespace {

std::string from_base64(const std::string& text) {
  static constexpr std::string_view alphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  std::uint32_t bits = 0;
  unsigned count = 0;
  for (const char letter : text) {
    if (letter == '=') {
      break;
    }
    bits = bits << 6U | static_cast<std::uint32_t>(alphabet.find(letter));
    count += 6;
    if (count >= 8) {
      count -= 8;
      bytes += static_cast<char>(bits >> count);
    }
  }
  return bytes;
}

}  // namespace

TEST_CASE("a JSON parser gets every text and number back", "[core][output]") {
  std::mt19937_64 random(test::seed());
  struct expectation {
    std::string text;
    std::uint64_t natural;
    std::int64_t whole;
    double real;
  };
  std::vector<expectation> rows;
  while (rows.size() < 2000) {
    std::string text(random() % 9, '\0');
    // Half of the texts are ASCII. Most others are not UTF-8, so both JSON fields occur.
    const std::uint64_t mask = random() % 2 == 0 ? 0x7F : 0xFF;
    for (char& byte : text) {
      byte = static_cast<char>(random() & mask);
    }
    const double real = std::bit_cast<double>(random());
    if (real - real == 0) {
      rows.push_back({text, random(), static_cast<std::int64_t>(random()), real});
    }
  }

  std::istringstream lines(test::written([&](byte_sink& sink) {
    table_writer writer(sink, table_format::jsonl, {"text", "natural", "whole", "real"});
    for (const expectation& row : rows) {
      writer.row({byte_view(std::string_view(row.text)), row.natural, row.whole, row.real});
    }
  }));
  std::uint64_t texts = 0;
  std::string line;
  for (const expectation& row : rows) {
    CAPTURE(test::seed());
    REQUIRE(std::getline(lines, line));
    const nlohmann::json object = nlohmann::json::parse(line);
    REQUIRE(object.size() == 4);
    const bool plain = object.contains("text");
    texts += plain;
    REQUIRE((plain ? object["text"].get<std::string>() : from_base64(object["text_base64"])) == row.text);
    REQUIRE(object["natural"].get<std::uint64_t>() == row.natural);
    REQUIRE(object["whole"].get<std::int64_t>() == row.whole);
    REQUIRE(std::bit_cast<std::uint64_t>(object["real"].get<double>()) ==
            std::bit_cast<std::uint64_t>(row.real));
  }
  CHECK_FALSE(std::getline(lines, line));
  CHECK(texts > rows.size() / 2);
  CHECK(texts < rows.size());
}

}  // namespace duomap::core_output_table_writer_json_test
