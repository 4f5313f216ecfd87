// A function of a column that makes a column of the key, on any device.
#pragma once

#include "apps/tasks/table/bucket_key.hpp"
#include "apps/tasks/table/date_key.hpp"
#include "apps/tasks/table/key_sink.hpp"
#include "apps/tasks/table/network_key.hpp"
#include "apps/tasks/table/scaled_number.hpp"
#include "core/byte_view.hpp"
#include "core/config.hpp"

#include <cstdint>

namespace duomap::apps {

enum class key_function_kind : unsigned char {
  none,  ///< the key is the field
  year,
  month,
  day,
  hour,
  lower,   ///< A to Z in lower case, all other bytes as they are
  upper,   ///< a to z in upper case
  left,    ///< the first characters of UTF-8
  prefix,  ///< the network of an address
  floor,   ///< the lower border of a bucket of numbers
  // Approximate aggregates make these, which no user asks for; sketch_key.hpp writes them.
  register_of_value,
  bucket_of_number,
};

struct key_function {
  key_function_kind kind = key_function_kind::none;
  unsigned char scale = 0;       ///< floor: the unit of the width is 10^-scale
  unsigned char ipv4_bits = 0;   ///< prefix
  unsigned char ipv6_bits = 0;   ///< prefix
  std::int8_t value = -1;        ///< approximate aggregates: the value column that has the numbers; -1: texts
  std::uint16_t characters = 0;  ///< left
  std::int64_t width = 0;        ///< floor

  [[nodiscard]] DUOMAP_HD bool is_sketch() const {
    return kind == key_function_kind::register_of_value || kind == key_function_kind::bucket_of_number;
  }
};

namespace detail {

/// Writes the characters of a text that begin among the first `most`. A byte 10xxxxxx continues a character.
DUOMAP_HD inline void put_left(byte_view text, unsigned most, key_sink& key) {
  unsigned begun = 0;
  for (std::uint64_t i = 0; i < text.size; ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80 && begun++ == most) return;
    if (!key.put(text[i])) return;
  }
}

}  // namespace detail

/// Adds the function's value for a field to the key. A field that is null adds nothing; null is the empty
/// field, for functions of dates, addresses and numbers a field of spaces, too. Returns false if the function
/// cannot read the field. The field may lie where the key is written.
[[nodiscard, gnu::noinline]] DUOMAP_HD inline bool put_made_key(const key_function& function, byte_view field,
                                                                key_sink& key) {
  const auto put_each = [&](char first, char change) {
    for (std::uint64_t i = 0; i < field.size; ++i) {
      const bool changes = field[i] >= first && field[i] <= first + 25;
      if (!key.put(changes ? static_cast<char>(field[i] + change) : field[i])) return;
    }
  };
  switch (function.kind) {
    case key_function_kind::lower:
      put_each('A', 'a' - 'A');
      return true;
    case key_function_kind::upper:
      put_each('a', 'A' - 'a');
      return true;
    case key_function_kind::left:
      detail::put_left(field, function.characters, key);
      return true;
    default:
      break;
  }
  const byte_view text = trimmed(field);
  if (text.empty()) return true;
  if (function.kind == key_function_kind::prefix)
    return put_network(text, {function.ipv4_bits, function.ipv6_bits}, key);
  if (function.kind == key_function_kind::floor) return put_bucket(text, function.width, function.scale, key);
  calendar_hour date;
  if (!read_date(text, date)) return false;
  const auto part = static_cast<unsigned>(function.kind) - static_cast<unsigned>(key_function_kind::year);
  put_date(date, static_cast<date_part>(part), key);
  return true;
}

}  // namespace duomap::apps
