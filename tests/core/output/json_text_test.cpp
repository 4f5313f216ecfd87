// Tests that UTF-8 is recognised exactly, strings are escaped, and base64 is that of RFC 4648.
#include "core/output/json_text.hpp"

#include "tests/catch.hpp"
#include "tests/core/output/support.hpp"

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

namespace duomap::core_output_json_text_test {
namespace {

std::string encoded(std::uint32_t code) {
  const auto byte = [](std::uint32_t value) {
    return static_cast<char>(value);
  };
  if (code < 0x80) {
    return {byte(code)};
  }
  if (code < 0x800) {
    return {byte(0xC0U | code >> 6U), byte(0x80U | (code & 0x3FU))};
  }
  if (code < 0x10000) {
    return {byte(0xE0U | code >> 12U), byte(0x80U | (code >> 6U & 0x3FU)), byte(0x80U | (code & 0x3FU))};
  }
  return {byte(0xF0U | code >> 18U), byte(0x80U | (code >> 12U & 0x3FU)), byte(0x80U | (code >> 6U & 0x3FU)),
          byte(0x80U | (code & 0x3FU))};
}

bool is_valid(std::string_view text) { return is_utf8(text); }

std::string json(std::string_view text) {
  return test::written([&](byte_sink& sink) { write_json_string(sink, text); });
}

std::string base64(std::string_view text) {
  return test::written([&](byte_sink& sink) { write_base64(sink, text); });
}

}  // namespace

TEST_CASE("every code point but the surrogates is UTF-8", "[core][output]") {
  std::uint64_t wrong = 0;
  for (std::uint32_t code = 0; code <= 0x10FFFF; ++code) {
    const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
    wrong += is_valid(encoded(code)) == surrogate;
  }
  CHECK(wrong == 0);
}

TEST_CASE("no other short text is UTF-8", "[core][output][all-values]") {
  // The test tries all texts of two bytes, and all texts of three that start with a lead byte. A fourth byte
  // takes only the ends of its ranges.
  std::set<std::string> valid;
  for (std::uint32_t code = 0; code < 0x110000; ++code) {
    if (code < 0xD800 || code > 0xDFFF) {
      valid.insert(encoded(code));
    }
  }
  std::uint64_t wrong = 0;
  const auto expect = [&](const std::string& text) {
    wrong += is_valid(text) != valid.contains(text);
  };
  for (int first = 0x80; first < 0x100; ++first) {
    expect({static_cast<char>(first)});
    for (int second = 0; second < 0x100; ++second) {
      expect({static_cast<char>(first), static_cast<char>(second)});
      if (first < 0xE0) {
        continue;
      }
      for (int third = 0; third < 0x100; ++third) {
        expect({static_cast<char>(first), static_cast<char>(second), static_cast<char>(third)});
        for (const int fourth : {0x00, 0x7F, 0x80, 0xBF, 0xC0, 0xFF}) {
          const std::string text = {static_cast<char>(first), static_cast<char>(second),
                                    static_cast<char>(third), static_cast<char>(fourth)};
          // A character of three bytes with an ASCII character behind it is also valid.
          const bool two_parts = fourth < 0x80 && valid.contains(text.substr(0, 3));
          wrong += is_valid(text) != (two_parts || valid.contains(text));
        }
      }
    }
  }
  CHECK(wrong == 0);
  CHECK(is_valid(""));
  CHECK(is_valid(std::string_view("\0", 1)));
}

TEST_CASE("UTF-8 that is cut at the end of the text is none", "[core][output]") {
  for (const std::uint32_t code : {0xE9U, 0x20ACU, 0x1F600U}) {
    const std::string text = "ab" + encoded(code) + "c";
    CHECK(is_valid(text));
    for (std::size_t size = 3; size + 1 < text.size(); ++size) {
      CAPTURE(code, size);
      CHECK_FALSE(is_valid(text.substr(0, size)));
      CHECK_FALSE(is_valid(text.substr(0, size) + "c"));
    }
  }
}

TEST_CASE("JSON strings escape what JSON forbids and nothing else", "[core][output]") {
  CHECK(json("") == R"("")");
  CHECK(json("word") == R"("word")");
  CHECK(json("a\"b\\c/") == R"("a\"b\\c/")");
  CHECK(json("\b\f\n\r\t") == R"("\b\f\n\r\t")");
  CHECK(json(std::string_view("\0\x01\x1f\x7f", 4)) == "\"\\u0000\\u0001\\u001f\x7f\"");
  CHECK(json("caf\xC3\xA9 \xF0\x9F\x98\x80") == "\"caf\xC3\xA9 \xF0\x9F\x98\x80\"");
}

TEST_CASE("base64 as in RFC 4648", "[core][output]") {
  CHECK(base64("").empty());
  CHECK(base64("f") == "Zg==");
  CHECK(base64("fo") == "Zm8=");
  CHECK(base64("foo") == "Zm9v");
  CHECK(base64("foob") == "Zm9vYg==");
  CHECK(base64("fooba") == "Zm9vYmE=");
  CHECK(base64("foobar") == "Zm9vYmFy");
  CHECK(base64("\xFF\xFE\xFD\xFB\xEF\xBE") == "//79++++");
}

}  // namespace duomap::core_output_json_text_test
