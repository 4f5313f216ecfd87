// Explains why a text that resembles a number is not read as a number.
#include "numeric/common/odd_number.hpp"

#include "numeric/common/shown_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace duomap {
namespace {

/// A character of UTF-8 that looks like a character of numbers.
struct look_alike {
  std::string_view bytes;
  std::string_view why;
};

constexpr std::array<look_alike, 7> look_alikes{{
    {"\xe2\x88\x92", "its minus sign is U+2212 instead of -"},
    {"\xe2\x80\x93", "its minus sign is the dash U+2013 instead of -"},
    {"\xc2\xa0", "it has the no-break space U+00A0"},
    {"\xe2\x80\xaf", "it has the no-break space U+202F"},
    {"\xe2\x80\x89", "it has the thin space U+2009"},
    {"\xe2\x80\x8b", "it has the invisible character U+200B"},
    {"\xef\xbb\xbf", "it has a byte order mark"},
}};

bool is_number(std::string_view text) {
  return whole_decimal<double>(byte_view(text)).status != decimal_status::none;
}

/// Whether the text is several numbers separated by `between`.
bool is_numbers_between(std::string_view text, char between) {
  if (text.find(between) == std::string_view::npos) return false;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(between, at), text.size());
    if (!is_number(text.substr(at, end - at))) return false;
    at = end + 1;
  }
  return true;
}

/// Whether the text would be a number with `good` in place of its only `bad`.
bool is_number_with(std::string_view text, char bad, char good) {
  std::string changed(text);
  if (std::count(changed.begin(), changed.end(), bad) != 1) return false;
  std::replace(changed.begin(), changed.end(), bad, good);
  return is_number(changed);
}

}  // namespace

odd_number odd_number_in(byte_view field) {
  const std::string_view text = field.text();
  for (const look_alike& one : look_alikes) {
    if (text.find(one.bytes) != std::string_view::npos) return {std::string(one.why)};
  }
  if (text.find('\r') != std::string_view::npos)
    return {"a carriage return alone ends no line: write line feeds"};
  for (const char other : {';', '|', '\t', ':', '^', '~', '#', '&', '@', '!', '\x01', '\x1f'}) {
    if (is_numbers_between(text, other))
      return {"it has " + shown(byte_view(&other, 1)) + " between numbers", true};
  }
  if (is_numbers_between(text, ','))
    return {"it has a comma: numbers have a decimal point and no separators of thousands"};
  const std::string_view digits = text.substr(std::min(text.find_first_not_of("+-"), text.size()));
  if (digits.starts_with("0x") || digits.starts_with("0X")) return {"it is hexadecimal"};
  if (is_number_with(text, 'd', 'e') || is_number_with(text, 'D', 'e'))
    return {"its exponent begins with d instead of e"};
  if (text.size() > 2 && text.front() == '\'' && text.back() == '\'') return {"only \" quotes a field"};
  if (text.starts_with('[') || text.starts_with('{')) return {"JSON is not read as a table: write it as CSV"};
  if (text.starts_with('#')) return {"lines of comments are not passed over: leave them out"};
  return {};
}

template <class T>
std::string number_problem(const decimal<T>& number, byte_view text, bool any) {
  if (number.status == decimal_status::too_large)
    return shown(text) + " is too large for " + (sizeof(T) == sizeof(float) ? "float32" : "float64");
  if (any || std::isfinite(number.value)) return {};
  return shown(text) + (std::isnan(number.value) ? " is no number" : " is infinite");
}

template std::string number_problem(const decimal<float>& number, byte_view text, bool any);
template std::string number_problem(const decimal<double>& number, byte_view text, bool any);

}  // namespace duomap
