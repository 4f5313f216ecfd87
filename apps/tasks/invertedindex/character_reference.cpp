// Decodes the value of an attribute as browsers do.
#include "apps/tasks/invertedindex/character_reference.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <system_error>

namespace duomap::apps {
namespace {

bool is_letter_or_digit(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// The characters that windows-1252 has at 0x80 to 0x9F, where Unicode has control characters.
constexpr std::array<std::uint16_t, 32> windows_1252 = {
    0x20AC, 0x81,   0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0x8D,   0x017D, 0x8F,   0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,   0x017E, 0x0178};

void append_utf8(std::string& text, std::uint32_t character) {
  if (character >= 0x80 && character <= 0x9F) character = windows_1252[character - 0x80];
  if (character == 0 || character > 0x10FFFF || (character >= 0xD800 && character <= 0xDFFF))
    character = 0xFFFD;
  const auto add = [&](std::uint32_t byte) {
    text += static_cast<char>(byte);
  };
  if (character < 0x80) return add(character);
  if (character < 0x800) {
    add(0xC0 | character >> 6);
  } else {
    if (character < 0x10000) {
      add(0xE0 | character >> 12);
    } else {
      add(0xF0 | character >> 18);
      add(0x80 | (character >> 12 & 0x3F));
    }
    add(0x80 | (character >> 6 & 0x3F));
  }
  add(0x80 | (character & 0x3F));
}

/// Decodes the numeric reference at the front of `rest`, which is the text behind "&#". Returns the number of
/// bytes that it used, 0 if there is no reference.
std::size_t decode_number(std::string_view rest, std::string& text) {
  const bool hexadecimal = !rest.empty() && (rest[0] == 'x' || rest[0] == 'X');
  const std::string_view digits = rest.substr(hexadecimal ? 1 : 0);
  std::uint32_t character = 0;
  const auto [end, problem] =
      std::from_chars(digits.data(), digits.data() + digits.size(), character, hexadecimal ? 16 : 10);
  if (problem == std::errc::invalid_argument) return 0;
  append_utf8(text, problem == std::errc::result_out_of_range ? 0 : character);
  const auto used = static_cast<std::size_t>(end - rest.data());
  return used < rest.size() && rest[used] == ';' ? used + 1 : used;
}

/// Decodes the named reference at the front of `rest`, which is the text behind a '&'. Returns the number of
/// bytes that it used, 0 if there is no reference.
std::size_t decode_name(std::string_view rest, std::string& text) {
  const auto* const end = std::find_if_not(rest.begin(), rest.end(), is_letter_or_digit);
  const std::string_view name = rest.substr(0, static_cast<std::size_t>(end - rest.begin()));
  const auto& names = detail::reference_names;
  const auto found = std::lower_bound(
      names.begin(), names.end(), name,
      [](const detail::named_reference& one, std::string_view other) { return one.name < other; });
  if (found == names.end() || found->name != name) return 0;
  const char next = name.size() < rest.size() ? rest[name.size()] : '\0';
  if (next != ';' && (!found->without_semicolon || next == '=')) return 0;
  for (const char32_t character : found->characters)
    if (character != 0) append_utf8(text, character);
  return next == ';' ? name.size() + 1 : name.size();
}

}  // namespace

bool is_decoded(byte_view value) {
  const std::string_view text = value.text();
  return text.find('&') == text.npos && text.find('\r') == text.npos && text.find('\0') == text.npos;
}

std::string decode_value(byte_view value) {
  constexpr std::string_view special("&\r\0", 3);
  std::string text;
  std::string_view rest = value.text();
  while (true) {
    const std::size_t place = std::min(rest.find_first_of(special), rest.size());
    text += rest.substr(0, place);
    if (place == rest.size()) return text;
    const char found = rest[place];
    rest.remove_prefix(place + 1);
    if (found == '\0') {
      append_utf8(text, 0);
      continue;
    }
    if (found == '\r') {
      if (!rest.starts_with('\n')) text += '\n';
      continue;
    }
    const bool number = !rest.empty() && rest[0] == '#';
    const std::size_t used = number ? decode_number(rest.substr(1), text) : decode_name(rest, text);
    if (used == 0) {
      text += '&';
    } else {
      rest.remove_prefix(used + (number ? 1 : 0));
    }
  }
}

}  // namespace duomap::apps
