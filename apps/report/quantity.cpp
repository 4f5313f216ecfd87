// Writes counts, bytes, rates and times with three significant digits.
#include "apps/report/quantity.hpp"

#include <array>
#include <cmath>
#include <cstdio>

namespace duomap::apps {

namespace {

// Three significant digits of a value from 0 to below 1000.
std::string three_digits(double value) {
  const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  std::array<char, 32> text{};
  const int size = std::snprintf(text.data(), text.size(), "%.*f", decimals, value);
  return {text.data(), static_cast<std::size_t>(size)};
}

std::string two_digits(std::uint64_t value) { return (value < 10 ? "0" : "") + std::to_string(value); }

// Writes `value` in the largest unit that leaves at least 1 in front of the point.
std::string scaled(double value, const std::string& unit) {
  static constexpr std::array<const char*, 7> prefixes = {"", "k", "M", "G", "T", "P", "E"};
  std::size_t prefix = 0;
  // 999.5 would be rounded to 1000, so it takes the next prefix.
  while (value >= 999.5 && prefix + 1 < prefixes.size()) {
    value /= 1000;
    ++prefix;
  }
  // A blank stands between the prefix and a unit that is a word.
  if (prefix > 0 && unit.size() > 3) return three_digits(value) + " " + prefixes[prefix] + " " + unit;
  return three_digits(value) + " " + prefixes[prefix] + unit;
}

}  // namespace

std::string count_text(std::uint64_t count) {
  std::string text = std::to_string(count);
  for (std::size_t end = text.size(); end > 3; end -= 3) {
    text.insert(end - 3, ",");
  }
  return text;
}

std::string count_text(std::uint64_t count, const std::string& noun) {
  return count_text(count) + " " + noun + (count == 1 ? "" : "s");
}

std::string bytes_text(std::uint64_t bytes) {
  return bytes < 1000 ? std::to_string(bytes) + " B" : scaled(static_cast<double>(bytes), "B");
}

std::string amount_text(std::uint64_t units, input_unit unit) {
  if (unit == input_unit::bytes) return bytes_text(units);
  return count_text(units) + (units == 1 ? " index" : " indices");
}

std::string rate_text(std::uint64_t units, double seconds, input_unit unit) {
  const char* const name = unit == input_unit::bytes ? "B/s" : "indices/s";
  return seconds > 0 ? scaled(static_cast<double>(units) / seconds, name) : "-";
}

std::string duration_text(double seconds) {
  if (seconds < 0.9995) {
    return three_digits(seconds * 1000) + " ms";
  }
  if (seconds < 59.95) {
    return three_digits(seconds) + " s";
  }
  const auto whole = static_cast<std::uint64_t>(std::llround(seconds));
  if (whole < 3600) {
    return std::to_string(whole / 60) + " min " + two_digits(whole % 60) + " s";
  }
  return std::to_string(whole / 3600) + " h " + two_digits(whole % 3600 / 60) + " min";
}

std::string time_text(double seconds) {
  if (seconds < 0.9995e-3) return three_digits(seconds * 1e6) + " us";
  if (seconds < 0.9995) return three_digits(seconds * 1e3) + " ms";
  return three_digits(seconds) + " s";
}

}  // namespace duomap::apps
