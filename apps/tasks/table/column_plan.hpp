// Says which fields of a row are keys, numbers or compared, and how to read them. Devices need only this part
// of a grouping.
#pragma once

#include "apps/tasks/table/json_paths.hpp"
#include "apps/tasks/table/key_function.hpp"
#include "apps/tasks/table/row_condition.hpp"
#include "core/byte_view.hpp"
#include "core/config.hpp"

#include <cstdint>

namespace duomap::apps {

inline constexpr unsigned most_key_columns = 8;
inline constexpr unsigned most_value_columns = 16;
/// Picked columns have the room that the others leave.
inline constexpr unsigned most_read_columns = most_key_columns + most_value_columns + most_comparisons;

/// The type by which the numbers of a column are read and added.
struct number_type {
  bool real = false;   ///< doubles; else whole numbers in units of 10^-scale, which are added exactly
  unsigned scale = 0;  ///< 0: integers; at most 18

  friend bool operator==(const number_type&, const number_type&) = default;
};

enum class row_format : unsigned char {
  delimited,
  json_lines,  ///< a JSON object in each line
  web_log,     ///< a line of a web server's log
};

/// Stands for a line feed in a row and in a key: a line feed ends rows, and separates the columns of keys.
/// UTF-8 has no such byte.
inline constexpr char joined_line_feed = '\xFF';

/// The texts that stand for a missing value. An empty field always does.
struct missing_words {
  static constexpr unsigned most = 8;
  static constexpr unsigned most_bytes = 35;

  unsigned char count = 0;
  unsigned char sizes[most] = {};
  char texts[most_bytes] = {};

  [[nodiscard]] DUOMAP_HD bool has(byte_view field) const {
    const char* word = texts;
    for (unsigned i = 0; i < count; word += sizes[i++]) {
      std::uint64_t same = 0;
      while (same < field.size && same < sizes[i] && field[same] == word[same]) ++same;
      if (same == field.size && same == sizes[i]) return true;
    }
    return false;
  }
};

/// The place of the virtual host in the lines of a web server's log.
enum class log_host_place : unsigned char {
  none,
  front,   ///< in front of the client
  second,  ///< in the place of the identity, as lighttpd writes it
};

/// The purpose for which a row's field is read.
enum class column_use : unsigned char {
  key,
  value,
  comparison,
  picked,  ///< its text is read after the run, in the rows that were picked
};

/// A field to read, and its index among the columns of the same use.
struct read_column {
  std::uint32_t field = 0;  ///< from 0; in JSON Lines the number of a column of json_paths
  std::uint32_t index = 0;
  column_use use = column_use::key;
};

struct column_plan {
  unsigned keys = 0;
  unsigned values = 0;
  unsigned picked = 0;
  /// All columns that are read, in the order of their fields.
  read_column columns[most_read_columns] = {};
  row_condition where;
  number_type types[most_value_columns] = {};
  key_function functions[most_key_columns] = {};
  bool makes_keys = false;  ///< a key column has a function
  /// greatest[values] of a state is the rank of a register, for an estimate of different values.
  bool has_ranks = false;
  row_format format = row_format::delimited;
  log_host_place log_host = log_host_place::none;  ///< of the lines of a log
  json_paths members;                              ///< of the objects of JSON Lines
  char delimiter = ',';
  char quote = '"';
  char comment = '\n';  ///< the first byte of comments; '\n': there are none
  bool has_header = false;
  bool has_separator = false;       ///< the first line of each source is "sep=" and the delimiter
  bool joins_lines = false;         ///< rows or keys may have joined_line_feed for a line feed
  bool has_special_fields = false;  ///< there are `missing` texts, or numbers have a decimal comma
  bool decimal_comma = false;
  std::uint64_t header_hash = 0;  ///< line_hash() of the first line of each source
  /// The header may begin at this byte at the latest: comments and empty lines may be in front of it.
  std::uint32_t last_header = 0;
  missing_words missing;

  /// The value columns for which a state needs room.
  [[nodiscard]] unsigned room() const { return values + (has_ranks ? 1 : 0); }
  [[nodiscard]] DUOMAP_HD unsigned reads() const { return keys + values + where.count + picked; }
};
// All devices take 4 KiB of parameters, and kernels have others, too.
static_assert(sizeof(column_plan) <= 3700);
static_assert(most_json_columns == most_read_columns);

/// Whether `field`, a part of `line` without its quotes, stands between quotes.
[[nodiscard]] DUOMAP_HD inline bool is_quoted(byte_view field, byte_view line, char quote) {
  return quote != '\0' && field.data > line.data && field.data[-1] == quote;
}

/// FNV-1a over the bytes of a line.
[[nodiscard]] DUOMAP_HD inline std::uint64_t line_hash(byte_view line) {
  std::uint64_t hash = 14695981039346656037ull;
  for (std::uint64_t i = 0; i < line.size; ++i)
    hash = (hash ^ static_cast<unsigned char>(line[i])) * 1099511628211ull;
  return hash;
}

}  // namespace duomap::apps
