// Lists what the text functions answer for two texts and for numbers. Host and GPU must agree.
#pragma once

#include "core/byte_view.hpp"
#include "core/config.hpp"
#include "core/text/compare.hpp"
#include "core/text/copy.hpp"
#include "core/text/find.hpp"
#include "core/text/letter_case.hpp"
#include "core/text/number.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace duomap::test {

struct text_answers {
  bool equal = false;
  bool starts_with = false;
  bool equal_ignoring_case = false;
  int compare = 0;
  std::uint64_t byte = 0;  ///< the place in the first text of the second text's first byte
  std::uint64_t find = 0;
  std::uint64_t find_ignoring_case = 0;
  friend bool operator==(const text_answers&, const text_answers&) = default;
};

[[nodiscard]] DUOMAP_HD inline text_answers answer(byte_view a, byte_view b, std::uint64_t from) {
  text_answers all;
  all.equal = equal(a, b);
  all.starts_with = starts_with(a, b);
  all.equal_ignoring_case = equal_ignoring_case(a, b);
  all.compare = compare(a, b);
  all.byte = b.empty() ? 0 : find_byte(a, b[0], from);
  all.find = find(a, b, from);
  all.find_ignoring_case = find_ignoring_case(a, b, from);
  return all;
}

/// The numbers that the parsers find in a text, and a hash of two copies of the text, one of them in lower
/// case.
struct number_answers {
  parsed<std::int32_t> small;
  parsed<std::uint64_t> large;
  parsed<std::int64_t> with_sign;
  parsed<double> real;
  std::uint64_t copies = 0;
};

[[nodiscard]] DUOMAP_HD inline number_answers read_numbers(byte_view text) {
  number_answers all;
  all.small = parse_integer<std::int32_t>(text);
  all.large = parse_integer<std::uint64_t>(text);
  all.with_sign = parse_integer<std::int64_t>(text);
  all.real = parse_double(text);
  char plain[48];
  char small[48];
  const byte_view part = text.sub(0, text.size < sizeof plain ? text.size : sizeof plain);
  copy(plain, part);
  copy_lower_ascii(small, part);
  for (std::uint64_t i = 0; i < part.size; ++i) {
    all.copies = all.copies * 31 + static_cast<unsigned char>(plain[i]);
    all.copies = all.copies * 31 + static_cast<unsigned char>(small[i]);
  }
  return all;
}

/// Two texts in one buffer, at any alignment, and a place where the search starts.
struct text_case {
  std::uint64_t a;
  std::uint64_t a_size;
  std::uint64_t b;
  std::uint64_t b_size;
  std::uint64_t from;
};

struct device_answers {
  std::vector<text_answers> texts;
  std::vector<number_answers> numbers;  ///< for the first text of each case
};

/// The answers of the current GPU; each thread answers one case.
[[nodiscard]] device_answers answers_on_gpu(const std::string& buffer, const std::vector<text_case>& cases);

}  // namespace duomap::test
