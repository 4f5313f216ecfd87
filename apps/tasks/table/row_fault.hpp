// The faults of rows.
#pragma once

namespace duomap::apps {

/// The reason why a row is not counted.
enum class row_fault : unsigned char {
  none,
  header,         ///< a source's first line differs from that of the first source
  open_quote,     ///< an odd number of quotes
  missing_field,  ///< the row ends before a column that is read
  no_number,
  other_number,  ///< a number that the column's type cannot hold
  long_key,      ///< a key of several fields, of a function or with doubled quotes, that is too long
  unreadable,    ///< a field that the function of a key cannot read
  no_json,
  no_log_line,
  line_feed,  ///< in a key of JSON, or the byte that stands for one
};

}  // namespace duomap::apps
