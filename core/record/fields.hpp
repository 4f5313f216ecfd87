// Record format: lines of fields with a delimiter between them.
#pragma once

#include "core/byte_view.hpp"
#include "core/chunk.hpp"
#include "core/record/lines.hpp"
#include "core/text/find.hpp"

#include <cstdint>

namespace duomap {

/// The fields of one line, found when asked for: a map that reads three of forty fields scans no further than
/// the third.
class field_list {
 public:
  DUOMAP_HD field_list(const line& from, char delimiter) : line_(from), delimiter_(delimiter) {}

  [[nodiscard]] DUOMAP_HD const line& whole() const { return line_; }

  /// Calls use(index, field) for each field in order; a line without a delimiter is one field.
  template <class Use>
  DUOMAP_HD void for_each(Use&& use) const {
    std::uint64_t start = 0;
    for (std::uint64_t index = 0;; ++index) {
      const std::uint64_t end = field_end(start);
      use(index, line_.text.sub(start, end - start));
      if (end == line_.text.size) return;
      start = end + 1;
    }
  }

  /// Field `index`, counted from 0; false when the line has no such field, `field` is then left alone.
  [[nodiscard]] DUOMAP_HD bool get(std::uint64_t index, byte_view& field) const {
    std::uint64_t start = 0;
    for (;; --index) {
      const std::uint64_t end = field_end(start);
      if (index == 0) {
        field = line_.text.sub(start, end - start);
        return true;
      }
      if (end == line_.text.size) return false;
      start = end + 1;
    }
  }

 private:
  [[nodiscard]] DUOMAP_HD std::uint64_t field_end(std::uint64_t at) const {
    return find_byte(line_.text, delimiter_, at);
  }

  line line_;
  char delimiter_;
};

/// Lines of delimited text. There is no quoting: a delimiter always separates, a newline always ends the
/// record, so that a record can be found from any position of the file.
struct fields {
  using record = field_list;

  char delimiter = '\t';

  [[nodiscard]] static constexpr std::uint64_t grain() { return lines::grain(); }
  [[nodiscard]] std::uint64_t first_start(byte_view source, std::uint64_t from, std::uint64_t limit) const {
    return lines{}.first_start(source, from, limit);
  }
  [[nodiscard]] std::uint64_t last_start(byte_view block) const { return lines{}.last_start(block); }

  /// Calls use(field_list) for every line of the chunk, in order.
  template <class Use>
  DUOMAP_HD void for_each_record(const chunk& part, Use&& use) const {
    const char separator = delimiter;
    lines{}.for_each_record(part, [&](const line& l) { use(field_list(l, separator)); });
  }
};

}  // namespace duomap
