// Reads the columns of a row that is a JSON object, in one pass over its bytes, on any device.
#pragma once

#include "apps/tasks/table/json_paths.hpp"
#include "apps/tasks/table/json_string.hpp"
#include "apps/tasks/table/json_string_stop.hpp"
#include "core/byte_view.hpp"
#include "core/config.hpp"
#include "core/text/load.hpp"

#include <cstdint>

namespace duomap::apps {

enum class json_status : unsigned char {
  row,
  blank,      ///< nothing but spaces
  no_object,  ///< it does not begin with { and end with }
  open_string,
  control_character,  ///< in a string
  bad_escape,
  no_name,
  no_colon,
  no_value,
  no_comma,     ///< neither a comma nor the end of the object or list
  open_object,  ///< the row ends in an object or list
  too_deep,
  more,  ///< bytes behind the object
};

inline constexpr unsigned most_json_depth = 64;  ///< objects and lists around a value

/// The columns of a row. Bit c of each set is about column c.
struct json_values {
  std::uint64_t found = 0;    ///< the row has the column, and it is not null
  std::uint64_t nulls = 0;    ///< the row has the column, and it is or was null
  std::uint64_t dotted = 0;   ///< by a name with dots
  std::uint64_t strings = 0;  ///< it is a string, and its text is without its quotes
  std::uint64_t escaped = 0;  ///< it is a string with escapes
  // Only the texts of the columns that were found are set.
  const char* begin[most_json_columns];
  std::uint64_t size[most_json_columns];

  [[nodiscard]] DUOMAP_HD bool has(unsigned column) const { return (found >> column & 1) != 0; }
  [[nodiscard]] DUOMAP_HD bool is_string(unsigned column) const {
    return ((found & strings) >> column & 1) != 0;
  }
  [[nodiscard]] DUOMAP_HD bool is_escaped(unsigned column) const {
    return ((found & escaped) >> column & 1) != 0;
  }
  /// The text of the column: empty if it is missing.
  [[nodiscard]] DUOMAP_HD byte_view text(unsigned column) const {
    return has(column) ? byte_view(begin[column], size[column]) : byte_view();
  }
};

/// Scans one row. Checks the whole row as RFC 8259 defines objects, except that strings may have any bytes
/// from 0x80 on. A repeated name overwrites the earlier member.
///
/// The functions take the place in the row, and return the place behind the bytes that they read, or null
/// after a fault. So the place stays in a register.
class json_scan {
 public:
  DUOMAP_HD json_scan(byte_view row, const json_paths& paths, json_values& found)
    : paths_(paths),
      found_(found),
      begin_(row.data),
      end_(end_of(row)),
      stops_(begin_, end_ > begin_ ? end_ - 1 : end_) {}

  [[nodiscard]] DUOMAP_HD json_status run() {
    const char* at = begin();
    if (at == nullptr) return status_;
    at = open(at, 0);
    bool at_member = *at != closing();  // else at the end of an empty object or list
    while (true) {
      if (at_member) {
        unsigned target = 0;  // the member's name in the tree; 0 if it is not asked for
        if (in_object()) {
          at = name(at, target);
          if (at == nullptr) return status_;
        }
        if ((*at | 0x20) == '{') {  // or [
          if (depth_ == most_json_depth) {
            static_cast<void>(fault(at, json_status::too_deep));
            return status_;
          }
          at = open(at, target);
          at_member = *at != closing();
          continue;
        }
        at = scalar(at, target);
        if (at == nullptr) return status_;
      }
      at = behind_value(at);
      if (at == nullptr || depth_ == 0) return status_;
      at_member = true;
    }
  }

  /// The place of the fault.
  [[nodiscard]] DUOMAP_HD const char* place() const { return place_; }

 private:
  // The row ends with a brace, so loops need not look for the end of the row.

  [[nodiscard]] DUOMAP_HD static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
  }

  /// The end without the blanks before it.
  [[nodiscard]] DUOMAP_HD static const char* end_of(byte_view row) {
    while (row.size > 0 && is_blank(row[row.size - 1])) --row.size;
    return row.end();
  }

  [[nodiscard]] DUOMAP_HD static const char* behind_blanks(const char* at) {
    while (static_cast<unsigned char>(*at) <= ' ' && is_blank(*at)) ++at;
    return at;
  }

  [[nodiscard]] DUOMAP_HD const char* fault(const char* at, json_status status) {
    place_ = at;
    status_ = status;
    return nullptr;
  }

  [[nodiscard]] DUOMAP_HD const char* begin() {
    const char* at = begin_;
    if (at == end_) return fault(at, json_status::blank);
    const bool has_mark = end_ - at > 3 && at[0] == '\xEF' && at[1] == '\xBB' && at[2] == '\xBF';
    at = behind_blanks(has_mark ? at + 3 : at);  // a byte order mark
    return *at == '{' && end_[-1] == '}' ? at : fault(at, json_status::no_object);
  }

  [[nodiscard]] DUOMAP_HD bool in_object() const { return (kinds_ & 1) != 0; }
  [[nodiscard]] DUOMAP_HD char closing() const { return in_object() ? '}' : ']'; }

  /// Goes to the first member or element, or to the end of an empty object or list.
  [[nodiscard]] DUOMAP_HD const char* open(const char* at, unsigned target) {
    ++depth_;
    kinds_ = kinds_ << 1 | (*at == '{' ? 1 : 0);
    if (target != 0 || depth_ == 1) {
      names_[levels_] = static_cast<std::uint8_t>(target);
      starts_[levels_++] = at;
      sizes_ = paths_.names[target].sizes;
    } else {
      sizes_ = 0;
    }
    return behind_blanks(at + 1);
  }

  /// Goes to the next member or element, or to the end of the row.
  [[nodiscard]] DUOMAP_HD const char* behind_value(const char* at) {
    while (true) {
      if (*at != ',') at = behind_blanks(at);
      if (*at == ',') return behind_blanks(at + 1);
      if (*at != closing()) return fault(at, json_status::no_comma);
      ++at;
      if (levels_ == depth_) {
        --levels_;
        if (levels_ > 0) put(names_[levels_], starts_[levels_], at, false, false);
      }
      --depth_;
      kinds_ >>= 1;
      if (levels_ == depth_ && depth_ > 0) sizes_ = paths_.names[names_[levels_ - 1]].sizes;
      if (depth_ == 0) return at == end_ ? at : fault(at, json_status::more);
      if (at == end_) return fault(at, json_status::open_object);
    }
  }

  /// Reads a name and its colon. Sets `target` if the member is asked for.
  [[nodiscard]] DUOMAP_HD const char* name(const char* at, unsigned& target) {
    if (*at != '"') return fault(at, json_status::no_name);
    const char* const begin = at + 1;
    bool escaped = false;
    at = end_of_string(at, escaped);
    if (at == nullptr) return nullptr;
    const byte_view text(begin, static_cast<std::uint64_t>(at - begin));
    if ((sizes_ >> text.size % 64 & 1) != 0 || (escaped && sizes_ != 0)) target = find_name(text, escaped);
    ++at;
    if (*at != ':') at = behind_blanks(at);
    return *at == ':' ? behind_blanks(at + 1) : fault(at, json_status::no_colon);
  }

  [[nodiscard]] DUOMAP_HD unsigned find_name(byte_view text, bool escaped) {
    const json_name& object = paths_.names[names_[levels_ - 1]];
    const std::uint64_t word = eight_at(text.data);
    const std::uint64_t head = text.size < 8 ? keep_bytes(word, static_cast<unsigned>(text.size)) : word;
    const unsigned end = object.first + object.count;
    for (unsigned i = object.first; i < end; ++i) {
      const json_name& one = paths_.names[i];
      if (escaped ? order_of_decoded(text, text_of(one)) != 0
                  : one.head != head || one.size != text.size || !same_rest(text, text_of(one)))
        continue;
      // A repeated name overwrites the earlier member, and a dotted name wins against a path.
      if (one.dotted) found_.dotted |= one.below;
      const std::uint64_t yields = one.dotted ? one.below : one.below & ~found_.dotted;
      found_.found &= ~yields;
      return yields == 0 ? 0 : i;
    }
    return 0;
  }

  [[nodiscard]] DUOMAP_HD byte_view text_of(const json_name& name) const {
    return {paths_.texts + name.text, name.size};
  }

  /// Whether two names of one size, whose first eight bytes are equal, are equal.
  [[nodiscard]] DUOMAP_HD static bool same_rest(byte_view a, byte_view b) {
    for (std::uint64_t i = 8; i < a.size; ++i) {
      if (a[i] != b[i]) return false;
    }
    return true;
  }

  /// Eight bytes, with zeros behind the end of the row.
  [[nodiscard]] DUOMAP_HD std::uint64_t eight_at(const char* at) const {
    const auto left = static_cast<std::uint64_t>(end_ - at);
    return left >= 8 ? load_eight(at) : load_some(at, static_cast<unsigned>(left));
  }

  /// Goes from the quote that begins a string to the quote that ends it.
  [[nodiscard]] DUOMAP_HD const char* end_of_string(const char* at, bool& escaped) {
    at = stops_.behind(at);
    if (*at == '"') return at;
    escaped = true;
    return behind_escapes(at);
  }

  /// Goes on to the quote from a byte that does not stand for itself.
  [[nodiscard, gnu::noinline]] DUOMAP_HD const char* behind_escapes(const char* at) {
    const char* const last = end_ - 1;
    while (*at != '"') {
      if (at == last) return fault(end_, json_status::open_string);
      if (*at != '\\') return fault(at, json_status::control_character);
      const std::uint64_t size = escape_size(byte_view(at, static_cast<std::uint64_t>(end_ - at)), 0);
      if (size == 0) return fault(at, json_status::bad_escape);
      at = json_string_stop(at + size, last);
    }
    return at;
  }

  [[nodiscard]] DUOMAP_HD const char* scalar(const char* at, unsigned target) {
    const char* const begin = at;
    if (*at == '"') {
      bool escaped = false;
      at = end_of_string(at, escaped);
      if (at == nullptr) return nullptr;
      if (target != 0) put(target, begin + 1, at, true, escaped);
      return at + 1;
    }
    if (*at == 'n') {
      if (target != 0) put_null(target);
      return behind_word(at, "null");
    }
    at = *at < 'a' ? behind_number(at) : behind_word(at, *at == 't' ? "true" : "false");
    if (at != nullptr && target != 0) put(target, begin, at, false, false);
    return at;
  }

  [[nodiscard]] DUOMAP_HD const char* behind_word(const char* at, const char* word) {
    const char* next = at;
    for (; *word != '\0'; ++word, ++next) {
      if (*next != *word) return fault(at, json_status::no_value);
    }
    return next;
  }

  [[nodiscard]] DUOMAP_HD const char* behind_number(const char* at) {
    const char* const begin = at;
    at += *at == '-' ? 1 : 0;
    const char* next = *at == '0' ? at + 1 : behind_digits(at);  // behind a zero there is no digit
    if (next != at && *next == '.') {
      at = next + 1;
      next = behind_digits(at);
    }
    if (next != at && (*next | 0x20) == 'e') {
      at = next + 1;
      if (*at == '+' || *at == '-') ++at;
      next = behind_digits(at);
    }
    return next != at ? next : fault(begin, json_status::no_value);
  }

  [[nodiscard]] DUOMAP_HD static const char* behind_digits(const char* at) {
    while (*at >= '0' && *at <= '9') ++at;
    return at;
  }

  /// Takes the bytes between two places for the value of a name of the tree.
  DUOMAP_HD void put(unsigned target, const char* begin, const char* end, bool string, bool escaped) {
    const json_name& name = paths_.names[target];
    if (name.column == json_name::no_column) return;
    const unsigned column = name.column;
    const std::uint64_t bit = std::uint64_t{1} << column;
    if (!name.dotted && (found_.dotted & bit) != 0) return;
    found_.begin[column] = begin;
    found_.size[column] = static_cast<std::uint64_t>(end - begin);
    found_.found |= bit;
    found_.strings = string ? found_.strings | bit : found_.strings & ~bit;
    found_.escaped = escaped ? found_.escaped | bit : found_.escaped & ~bit;
  }

  DUOMAP_HD void put_null(unsigned target) {
    const unsigned column = paths_.names[target].column;
    if (column != json_name::no_column) found_.nulls |= std::uint64_t{1} << column;
  }

  const json_paths& paths_;
  json_values& found_;
  const char* begin_;
  const char* end_;
  json_string_stops stops_;  // of the row without its last brace
  const char* place_ = nullptr;
  json_status status_ = json_status::row;
  unsigned depth_ = 0;
  std::uint64_t sizes_ = 0;  // json_name::sizes of the object whose names are looked for, or 0
  std::uint64_t kinds_ = 0;  // the lowest bit: an object is open, not a list; above it those around it
  // The open objects and lists whose names are in the tree are the outermost ones.
  unsigned levels_ = 0;
  std::uint8_t names_[most_json_levels + 1];
  const char* starts_[most_json_levels + 1];
};

}  // namespace duomap::apps
