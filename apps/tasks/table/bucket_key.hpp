// Rounds a number down to a multiple of a width, exactly, on any device.
#pragma once

#include "apps/tasks/table/key_sink.hpp"
#include "apps/tasks/table/scaled_number.hpp"
#include "core/byte_view.hpp"
#include "core/config.hpp"
#include "core/text/find_byte.hpp"

#include <cstdint>
#include <limits>

namespace duomap::apps {

namespace detail {

/// The number rounded down to units of 10^-scale. Returns false if 64 bits do not hold it.
[[nodiscard]] DUOMAP_HD inline bool floor_units(byte_view text, unsigned scale, std::int64_t& units) {
  const scaled_number number = parse_scaled(text, scale);
  units = number.value;
  if (number.status == scaled_status::too_fine && text[0] == '-') --units;  // it was rounded towards 0
  return number.status == scaled_status::number || number.status == scaled_status::too_fine;
}

/// floor_units() of a number with an exponent.
[[nodiscard]] DUOMAP_HD inline bool floor_units_of_power(byte_view text, unsigned scale,
                                                         std::int64_t& units) {
  constexpr int most_scale = 18;
  std::uint64_t at = find_byte(text, 'e');
  if (at == text.size) at = find_byte(text, 'E');
  if (at >= text.size) return false;
  const byte_view digits = text.sub(at + 1, text.size - at - 1);
  const scaled_number exponent = parse_scaled(digits, 0);
  if (exponent.status != scaled_status::number || find_byte(digits, '.') < digits.size) return false;
  const byte_view number = text.sub(0, at);
  if (exponent.value > 1'000 || exponent.value < -1'000) return false;
  int shift = static_cast<int>(exponent.value) + static_cast<int>(scale);
  if (!floor_units(number,
                   static_cast<unsigned>(shift < 0            ? 0
                                         : shift > most_scale ? most_scale
                                                              : shift),
                   units))
    return false;
  for (; shift < 0 && units != 0 && units != -1; ++shift)
    units = units / 10 - (units % 10 < 0 ? 1 : 0);  // rounded down
  if (shift > most_scale && parse_scaled(number, most_scale).status != scaled_status::number) return false;
  for (; shift > most_scale && units != 0; --shift) {
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max() / 10;
    if (units > most || units < -most) return false;
    units *= 10;
  }
  return true;
}

}  // namespace detail

/// Writes the largest multiple of `width` units of 10^-scale that is not above the number, with `scale`
/// digits behind the point. Returns false if the text is no number, or 64 bits do not hold it in these units.
[[nodiscard]] DUOMAP_HD inline bool put_bucket(byte_view text, std::int64_t width, unsigned scale,
                                               key_sink& key) {
  std::int64_t units = 0;
  if (!detail::floor_units(text, scale, units) && !detail::floor_units_of_power(text, scale, units))
    return false;
  const std::int64_t above = units % width < 0 ? units % width + width : units % width;
  if (units < std::numeric_limits<std::int64_t>::min() + above) return false;
  units -= above;
  if (units < 0) key.put('-');
  const std::uint64_t size =
      units < 0 ? ~static_cast<std::uint64_t>(units) + 1 : static_cast<std::uint64_t>(units);
  std::uint64_t unit = 1;
  for (unsigned i = 0; i < scale; ++i) unit *= 10;
  key.put_number(size / unit, 1);
  if (scale == 0) return true;
  key.put('.');
  key.put_number(size % unit, scale);
  return true;
}

}  // namespace duomap::apps
