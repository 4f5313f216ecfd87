// Tests byte order marks, and text without a mark, in every kind of input that is opened as text.
#include "core/input/text_encoding.hpp"

#include "core/error.hpp"
#include "core/input/input.hpp"
#include "core/input/mapped_file.hpp"
#include "core/input/mapping_registry.hpp"
#include "tests/catch.hpp"
#include "tests/core/input/support.hpp"

#include <random>

namespace duomap::test::core_input_text_encoding_test {
namespace {

// U+00E9, U+20AC, U+1F40B (a surrogate pair of UTF-16), a line end and a plain letter.
constexpr std::string_view utf8 = "\xc3\xa9\xe2\x82\xac\xf0\x9f\x90\x8b\na";
constexpr std::u16string_view units = u"\u00e9\u20ac\U0001f40b\na";
constexpr std::u32string_view characters = U"\u00e9\u20ac\U0001f40b\na";

template <class Character>
std::string bytes_of(std::basic_string_view<Character> text, bool big_endian) {
  std::string bytes;
  for (const Character one : text) {
    for (std::size_t i = 0; i < sizeof one; ++i) {
      const std::size_t shift = 8 * (big_endian ? sizeof one - 1 - i : i);
      bytes += static_cast<char>(static_cast<std::uint32_t>(one) >> shift & 0xff);
    }
  }
  return bytes;
}

struct marked {
  const char* encoding;
  std::string mark;
  std::string text;
};

std::vector<marked> encodings() {
  return {{"UTF-8", "\xef\xbb\xbf", std::string(utf8)},
          {"UTF-16LE", "\xff\xfe", bytes_of(units, false)},
          {"UTF-16BE", "\xfe\xff", bytes_of(units, true)},
          {"UTF-32LE", std::string("\xff\xfe\0\0", 4), bytes_of(characters, false)},
          {"UTF-32BE", std::string("\0\0\xfe\xff", 4), bytes_of(characters, true)}};
}

}  // namespace

TEST_CASE("a text with a byte order mark is its UTF-8 without the mark", "[input][encoding]") {
  const temporary_folder folder;
  for (const marked& one : encodings()) {
    CAPTURE(one.encoding);
    std::string stored = one.mark;
    std::string expected;
    CHECK(content(open_input({folder.write("mark alone", stored)})[0]).empty());
    while (stored.size() < map_threshold) {  // large enough to be mapped, with characters across buffers
      stored += one.text;
      expected += utf8;
    }
    CHECK((content(open_input({folder.write("large", stored)})[0]) == expected));
    CHECK(content(open_input({folder.write("small", one.mark + one.text)})[0]) == utf8);
    CHECK((content(open_input({folder.path("large")}, input_content::stored)[0]) == stored));
    CHECK((content(open_input({folder.path("large")}, input_content::records)[0]) == stored));
  }
  CHECK(content(open_input({folder.write("inside", "a\xef\xbb\xbf")})[0]) == "a\xef\xbb\xbf");
}

TEST_CASE("a large file with the mark of UTF-8 is mapped all the same", "[input][encoding]") {
  const temporary_folder folder;
  const std::string text(map_threshold, 'x');
  const input in = open_input({folder.write("file", "\xef\xbb\xbf" + text)});
  CHECK(in[0].addressable());
  CHECK(in[0].units() == text.size());
  CHECK(in[0].stored_size() == text.size() + 3);
  CHECK((content(in[0]) == text));
  CHECK(mapping_name(in[0].bytes().data) == folder.path("file"));
}

TEST_CASE("UTF-16 without a mark is refused by name where it begins with ASCII", "[input][encoding]") {
  const temporary_folder folder;
  const auto read = [&](const std::string& stored) {
    return content(open_input({folder.write("file", stored)})[0]);
  };
  constexpr std::u16string_view text = u"1,2\r\n\"a\"\t~";
  for (const std::size_t size : {std::size_t{2}, std::size_t{3}, text.size()}) {
    const std::u16string_view part = text.substr(0, size);
    CHECK_THROWS_WITH(read(bytes_of(part, false)), contains("file': it is text in UTF-16LE without a byte"));
    CHECK_THROWS_WITH(read(bytes_of(part, true)), contains("iconv -f UTF-16BE -t UTF-8"));
    CHECK(content(open_input({folder.path("file")}, input_content::stored)[0]).size() == 2 * size);
    CHECK(content(open_input({folder.path("file")}, input_content::records)[0]).size() == 2 * size);
  }
  // None of these bytes passes for UTF-16 or UTF-32. One character alone is too little evidence. Small binary
  // numbers look like control characters, or contain more zeros than text does.
  for (const std::string& other :
       {std::string("a\0", 2), std::string("a\0b", 3), std::string("\1\0\2\0\3\0\4\0", 8),
        std::string("a\0\0\0b\0\0\0", 8), std::string("a\0b\0c\0d\0ef", 10), std::string(10, '\0')}) {
    CHECK(read(other) == other);
  }
}

TEST_CASE("half a character of UTF-16 or UTF-32 is an error that names the byte", "[input][encoding]") {
  const temporary_folder folder;
  const auto message = [&](const std::string& stored) {
    return content(open_input({folder.write("file", stored)})[0]);
  };
  CHECK_THROWS_AS(message("\xff\xfe\x41"), input_error);
  CHECK_THROWS_WITH(message("\xff\xfe\x41"),
                    contains("file': at byte 2 of its text is no character of UTF-16LE"));
  // A low surrogate with no high surrogate before it.
  CHECK_THROWS_WITH(message(std::string("\xfe\xff\0\x61\xdc\x00\0\x61", 8)),
                    contains("at byte 4 of its text"));
  CHECK_THROWS_WITH(message(std::string("\xff\xfe\0\0\xff\xff\xff\xff", 8)),
                    contains("at byte 4 of its text is no character of UTF-32LE"));
}

TEST_CASE("a converted text may be read in pieces of any size", "[input][encoding]") {
  const std::string text = "\xff\xfe" + bytes_of(units, false);
  for (const std::uint64_t capacity : {1U, 2U, 3U, 7U, 100U}) {
    CAPTURE(capacity);
    const auto stream = utf8_stream(std::make_unique<text_stream>(text, 1), text_encoding::utf16_le, "file");
    CHECK(drain(*stream, capacity) == utf8);
  }
}

}  // namespace duomap::test::core_input_text_encoding_test
