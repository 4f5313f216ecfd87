// Truncates a moment to its year, month, day or hour, on any device.
#pragma once

#include "apps/tasks/table/key_sink.hpp"
#include "apps/tasks/table/scaled_number.hpp"
#include "core/byte_view.hpp"
#include "core/config.hpp"

#include <cstdint>

namespace duomap::apps {

/// The parts of a moment in the Gregorian calendar, from the year 0 to 9999.
struct calendar_hour {
  unsigned year = 0;
  unsigned month = 1;
  unsigned day = 1;
  unsigned hour = 0;
};

enum class date_part : unsigned char { year, month, day, hour };

namespace detail {

/// Reads `count` digits at `at`. Returns false if there are fewer.
[[nodiscard]] DUOMAP_HD inline bool read_digits(byte_view text, std::uint64_t at, unsigned count,
                                                unsigned& number) {
  if (at + count > text.size) return false;
  number = 0;
  for (unsigned i = 0; i < count; ++i) {
    const unsigned digit = static_cast<unsigned char>(text[at + i]) - unsigned{'0'};
    if (digit > 9) return false;
    number = number * 10 + digit;
  }
  return true;
}

[[nodiscard]] DUOMAP_HD constexpr unsigned days_of_month(unsigned year, unsigned month) {
  const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  if (month == 2) return leap ? 29 : 28;
  return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

/// Whether the text from `at` on is nothing, Z, or a distance from UTC: +05, +05:30, +0530.
[[nodiscard]] DUOMAP_HD inline bool is_zone(byte_view text, std::uint64_t at) {
  if (at == text.size) return true;
  if (text[at] == 'Z' || text[at] == 'z') return at + 1 == text.size;
  if (text[at] != '+' && text[at] != '-') return false;
  unsigned hours = 0, minutes = 0;
  if (!read_digits(text, at + 1, 2, hours) || hours > 23) return false;
  at += 3;
  if (at == text.size) return true;
  if (text[at] == ':') ++at;
  return read_digits(text, at, 2, minutes) && minutes < 60 && at + 2 == text.size;
}

/// Reads hours, and perhaps minutes, seconds, a fraction and a zone. The second may be a leap second, 60.
[[nodiscard]] DUOMAP_HD inline bool read_clock(byte_view text, std::uint64_t at, unsigned& hour) {
  unsigned minute = 0, second = 0;
  if (!read_digits(text, at, 2, hour) || hour > 23) return false;
  at += 2;
  if (at == text.size || text[at] != ':') return is_zone(text, at);
  if (!read_digits(text, at + 1, 2, minute) || minute > 59) return false;
  at += 3;
  if (at == text.size || text[at] != ':') return is_zone(text, at);
  if (!read_digits(text, at + 1, 2, second) || second > 60) return false;
  at += 3;
  if (at < text.size && (text[at] == '.' || text[at] == ',')) {
    const std::uint64_t point = at++;
    for (unsigned digit = 0; read_digits(text, at, 1, digit);) ++at;
    if (at == point + 1) return false;
  }
  return is_zone(text, at);
}

/// Reads YYYY-MM-DD, alone or with a clock behind T or a space.
[[nodiscard]] DUOMAP_HD inline bool read_iso_date(byte_view text, calendar_hour& into) {
  if (text.size < 10 || text[4] != '-' || text[7] != '-') return false;
  if (!read_digits(text, 0, 4, into.year) || !read_digits(text, 5, 2, into.month) ||
      !read_digits(text, 8, 2, into.day))
    return false;
  if (into.month < 1 || into.month > 12 || into.day < 1 || into.day > days_of_month(into.year, into.month))
    return false;
  if (text.size == 10) return true;
  return (text[10] == 'T' || text[10] == 't' || text[10] == ' ') && read_clock(text, 11, into.hour);
}

/// The calendar's date of seconds since 1970, in UTC (Hinnant, chrono-compatible low-level date algorithms).
/// Returns false outside of the years 0 to 9999.
[[nodiscard]] DUOMAP_HD inline bool date_of_seconds(std::int64_t seconds, calendar_hour& into) {
  if (seconds < -62'167'219'200 || seconds > 253'402'300'799) return false;
  const std::int64_t from_year_0 = seconds + 62'167'219'200;  // the year 0 begins 719,528 days before 1970
  // Years begin on March 1 here, so that February 29 is the last day of a year. Eras have 400 years.
  const std::int64_t days = from_year_0 / 86'400 + 146'037;  // since March 1 of the year -400
  const auto day_of_era = static_cast<unsigned>(days % 146'097);
  const unsigned year_of_era =
      (day_of_era - day_of_era / 1'460 + day_of_era / 36'524 - day_of_era / 146'096) / 365;
  const unsigned day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const unsigned month = (5 * day_of_year + 2) / 153;  // from March on
  into.day = day_of_year - (153 * month + 2) / 5 + 1;
  into.month = month < 10 ? month + 3 : month - 9;
  into.year = year_of_era + static_cast<unsigned>(days / 146'097) * 400 - 400 + (into.month <= 2 ? 1 : 0);
  into.hour = static_cast<unsigned>(from_year_0 % 86'400 / 3'600);
  return true;
}

}  // namespace detail

/// Reads a date of ISO 8601, perhaps with a time and a zone, or seconds since 1970, perhaps with a fraction.
/// A zone changes nothing: the date is the one that the text shows. Eight digits alone are refused, because
/// they may be a date, YYYYMMDD.
[[nodiscard]] DUOMAP_HD inline bool read_date(byte_view text, calendar_hour& into) {
  if (text.size >= 10 && text[4] == '-') return detail::read_iso_date(text, into);
  const scaled_number number = parse_scaled(text, 0);
  if (number.status != scaled_status::number && number.status != scaled_status::too_fine) return false;
  unsigned digits = 0;
  if (text.size == 8 && detail::read_digits(text, 0, 8, digits)) return false;
  const bool rounded_up = number.status == scaled_status::too_fine && text[0] == '-';
  return detail::date_of_seconds(number.value - (rounded_up ? 1 : 0), into);
}

/// Writes YYYY, YYYY-MM, YYYY-MM-DD or YYYY-MM-DDTHH.
DUOMAP_HD inline void put_date(const calendar_hour& date, date_part last, key_sink& key) {
  key.put_number(date.year, 4);
  if (last == date_part::year) return;
  key.put('-');
  key.put_number(date.month, 2);
  if (last == date_part::month) return;
  key.put('-');
  key.put_number(date.day, 2);
  if (last == date_part::day) return;
  key.put('T');
  key.put_number(date.hour, 2);
}

}  // namespace duomap::apps
