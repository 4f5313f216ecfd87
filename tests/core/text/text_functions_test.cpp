// Tests core/text against the standard library.
#include "core/text/compare.hpp"
#include "core/text/copy.hpp"
#include "core/text/find.hpp"
#include "core/text/letter_case.hpp"
#include "core/text/load.hpp"
#include "core/text/number.hpp"
#include "tests/catch.hpp"
#include "tests/support/guarded_bytes.hpp"
#include "tests/support/text_cases.hpp"

#include <charconv>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <system_error>

namespace duomap::test::core_text_text_functions_test {
namespace {

int sign(int number) { return (number > 0) - (number < 0); }

std::uint64_t place_in(std::string_view text, std::string_view wanted, std::uint64_t from) {
  const std::size_t place = text.find(wanted, from);
  return place == std::string_view::npos ? not_found : place;
}

std::uint64_t place_of_byte(std::string_view text, char byte, std::uint64_t from) {
  const std::size_t place = text.find(byte, from);
  return place == std::string_view::npos ? text.size() : place;
}

std::string lowered(std::string text) {
  for (char& c : text) c = to_lower_ascii(c);
  return text;
}

/// All answers about two texts and a place, from the standard library.
text_answers expected_text_answers(const std::string& a, const std::string& b, std::uint64_t from) {
  text_answers expected;
  expected.equal = a == b;
  expected.starts_with = a.substr(0, b.size()) == b;
  expected.compare = sign(a.compare(b));
  expected.equal_ignoring_case = lowered(a) == lowered(b);
  expected.byte = b.empty() ? 0 : place_of_byte(a, b[0], from);
  expected.find = place_in(a, b, from);
  expected.find_ignoring_case = place_in(lowered(a), lowered(b), from);
  return expected;
}

/// A byte that breaks carries and borrows of word-wide code, a letter of either case, or any byte.
char tricky_byte(std::mt19937_64& random) {
  constexpr unsigned char tricky[] = {0,   1,   0x7F, 0x80, 0x81, 0xFF, '@',  'A',  'Z', '[',
                                      '`', 'a', 'z',  '{',  0xC1, 0xDA, 0xE1, 0xFA, ' ', '\n'};
  return static_cast<char>(random() % 8 == 0 ? random() : tricky[random() % std::size(tricky)]);
}

std::string tricky_text(std::mt19937_64& random, std::uint64_t size) {
  std::string text;
  for (std::uint64_t i = 0; i < size; ++i) text += tricky_byte(random);
  return text;
}

template <class T>
void check_integer(const std::string& text) {
  const guarded_bytes guarded(text);
  T value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  const auto found = parse_integer<T>(guarded.view());
  CAPTURE(text, found.value, found.used);
  CHECK(found.used == static_cast<std::uint64_t>(end - text.data()));
  CHECK(found.status == (problem == std::errc()                      ? parse_status::number
                         : problem == std::errc::result_out_of_range ? parse_status::out_of_range
                                                                     : parse_status::no_number));
  CHECK(found.value == (problem == std::errc() ? value : T{0}));
}

void check_integers(const std::string& text) {
  check_integer<std::int8_t>(text);
  check_integer<std::uint8_t>(text);
  check_integer<std::int32_t>(text);
  check_integer<std::uint32_t>(text);
  check_integer<std::int64_t>(text);
  check_integer<std::uint64_t>(text);
}

TEST_CASE("text: words are loaded as they stand, and nothing beside them is read", "[text]") {
  auto random = std::mt19937_64(seed());
  for (unsigned size = 0; size <= 8; ++size) {
    const std::string bytes = tricky_text(random, size);
    const guarded_bytes guarded(bytes);
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data(), size);
    if (size == 8) {
      CHECK(load_eight(guarded.data()) == word);
    } else {
      CHECK(load_some(guarded.data(), size) == word);
    }
  }
}

TEST_CASE("text: comparing and finding in texts of every length and alignment", "[text]") {
  auto random = std::mt19937_64(seed());
  for (std::uint64_t size = 0; size <= 40; ++size) {
    for (unsigned round = 0; round < 60; ++round) {
      const std::string a = tricky_text(random, size);
      std::string b;
      switch (round % 4) {
        case 0:
          b = a;
          break;
        case 1:
          b = a.substr(0, random() % (size + 1));
          break;
        case 2:
          b = a.substr(random() % (size + 1), 1 + random() % 6);
          break;
        default:
          b = tricky_text(random, random() % 4);
          break;
      }
      if (round % 8 >= 4 && !b.empty()) b[random() % b.size()] = tricky_byte(random);
      if (round % 3 == 0) b = lowered(b);
      const std::uint64_t from = random() % (size + 2);
      // Each text ends at an unreadable page, and begins at any address.
      const guarded_bytes first(a, 0);
      const guarded_bytes second(b, 0);
      CAPTURE(size, round, from, a, b);
      const text_answers found = answer(first.view(), second.view(), from);
      CHECK((found == expected_text_answers(a, b, from)));
      CHECK((answer(second.view(), first.view(), from) == expected_text_answers(b, a, from)));
    }
  }
}

TEST_CASE("text: texts are equal by their bytes, wherever these stand", "[text]") {
  const std::string one = "a key", other = "a key";
  CHECK(byte_view(one) == byte_view(other));
  CHECK(byte_view(one) == "a key");
  CHECK(byte_view(one).sub(0, 4) != byte_view(other));
  CHECK(byte_view() == byte_view(one).sub(2, 0));
}

TEST_CASE("text: the word-wide search for a byte, at every place of a text", "[text]") {
  auto random = std::mt19937_64(seed());
  for (std::uint64_t size = 0; size <= 40; ++size) {
    for (std::uint64_t behind = 0; behind < 8; ++behind) {
      const std::string text = tricky_text(random, size);
      const guarded_bytes guarded(text, behind);
      for (std::uint64_t from = 0; from <= size; ++from) {
        const char byte = from % 2 == 0 ? '\0' : tricky_byte(random);
        CAPTURE(text, byte, from);
        const auto same = [](std::uint64_t word) {
          return word;
        };
        CHECK(detail::find_mapped_byte(guarded.view(), byte, from, same) == place_of_byte(text, byte, from));
      }
    }
  }
}

TEST_CASE("text: finding in long texts", "[text]") {
  auto random = std::mt19937_64(seed());
  const std::string text = tricky_text(random, 100'000);
  for (unsigned round = 0; round < 300; ++round) {
    std::string wanted = text.substr(random() % text.size(), 1 + random() % 30);
    if (round % 3 == 0) wanted.back() = tricky_byte(random);
    const std::uint64_t from = random() % text.size();
    CHECK((answer(text, wanted, from) == expected_text_answers(text, wanted, from)));
  }
}

TEST_CASE("text: the case of every byte", "[text]") {
  for (unsigned byte = 0; byte < 256; ++byte) {
    const auto expected = static_cast<unsigned char>(to_lower_ascii(static_cast<char>(byte)));
    for (unsigned place = 0; place < 8; ++place) {
      for (const std::uint64_t others :
           {std::uint64_t{0}, ~std::uint64_t{0}, std::uint64_t{0x5A5A5A5A5A5A5A5A}}) {
        const std::uint64_t mask = std::uint64_t{0xFF} << (8 * place);
        const std::uint64_t word = (others & ~mask) | std::uint64_t{byte} << (8 * place);
        CHECK((to_lower_ascii(word) >> (8 * place) & 0xFF) == expected);
      }
    }
    CHECK(to_lower_ascii(std::uint32_t{byte} << 16) == std::uint32_t{expected} << 16);
  }
}

TEST_CASE("text: copies have their bytes and touch no others", "[text]") {
  auto random = std::mt19937_64(seed());
  for (std::uint64_t size = 0; size <= 40; ++size) {
    const std::string text = tricky_text(random, size);
    const guarded_bytes from(text);
    std::string plain(size + 2, '#');
    std::string small(size + 2, '#');
    copy(plain.data() + 1, from.view());
    copy_lower_ascii(small.data() + 1, from.view());
    CHECK(plain == "#" + text + "#");
    CHECK(small == "#" + lowered(text) + "#");
  }
}

TEST_CASE("text: whole numbers and their limits", "[text]") {
  for (const char* const text : {"",
                                 "-",
                                 "+1",
                                 " 1",
                                 "0",
                                 "-0",
                                 "00000000000000000000000000017",
                                 "1x",
                                 "12 ",
                                 "-1",
                                 "--1",
                                 "a",
                                 ":",
                                 "/",
                                 "127",
                                 "128",
                                 "-128",
                                 "-129",
                                 "255",
                                 "256",
                                 "2147483647",
                                 "2147483648",
                                 "-2147483648",
                                 "-2147483649",
                                 "4294967295",
                                 "4294967296",
                                 "9223372036854775807",
                                 "9223372036854775808",
                                 "-9223372036854775808",
                                 "-9223372036854775809",
                                 "18446744073709551615",
                                 "18446744073709551616",
                                 "18446744073709551620",
                                 "99999999999999999999999999999999",
                                 "-99999999999999999999999999999999z"}) {
    check_integers(text);
  }
  auto random = std::mt19937_64(seed());
  for (unsigned round = 0; round < 3000; ++round) {
    std::string text = std::to_string(static_cast<std::int64_t>(random()) >> random() % 64);
    if (round % 5 == 0) text[random() % text.size()] = tricky_byte(random);
    if (round % 7 == 0) text += std::to_string(random() % 10);
    check_integers(text);
  }
}

TEST_CASE("text: a number that is all of its text", "[text]") {
  CHECK(parse_integer<int>(std::string_view("17")).all_of(2));
  CHECK_FALSE(parse_integer<int>(std::string_view("17 ")).all_of(3));
  CHECK_FALSE(parse_integer<int>(std::string_view("")).all_of(0));
}

}  // namespace
}  // namespace duomap::test::core_text_text_functions_test
