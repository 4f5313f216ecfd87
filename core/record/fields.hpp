// Record format: lines of fields, with a delimiter between fields.
#pragma once

#include "core/byte_view.hpp"
#include "core/chunk.hpp"
#include "core/record/lines.hpp"
#include "core/text/find_byte.hpp"

#include <cstdint>

namespace duomap {

/// The fields of one line. A field is searched for only when map asks for it: a map that reads the first
/// three of forty fields does not scan the others.
class field_list {
 public:
  DUOMAP_HD field_list(const line& from, char delimiter, char quote = '\0')
    : line_(from), delimiter_(delimiter), quote_(quote) {}

  /// A line without quotes whose `fields` fields are already found. ends[i] is the position of the end of
  /// field i, and `start` that of the line, both counted from the same place. The last field ends with the
  /// line. `ends` must stay as it is while the object is used.
  field_list(const line& from, char delimiter, const std::uint16_t* ends, std::uint32_t fields,
             std::uint32_t start)
    : line_(from), delimiter_(delimiter), quote_('\0'), ends_(ends), fields_(fields), start_(start) {}

  [[nodiscard]] DUOMAP_HD const line& whole() const { return line_; }

  /// The byte that quotes fields. '\0' if there is none, or if the line is known to have no such byte.
  [[nodiscard]] DUOMAP_HD char quote() const { return quote_; }

  /// Calls use(index, field) for each field in order. A line without a delimiter is one field.
  template <class Use>
  DUOMAP_HD void for_each(Use&& use) const {
#if !defined(__CUDA_ARCH__)
    if (ends_ != nullptr) {
      for (std::uint32_t index = 0; index < fields_; ++index) use(std::uint64_t{index}, known_field(index));
      return;
    }
#endif
    std::uint64_t start = 0;
    for (std::uint64_t index = 0;; ++index) {
      byte_view field;
      const std::uint64_t end = read_field(start, field);
      use(index, field);
      if (end == line_.text.size) return;
      start = end + 1;
    }
  }

  /// Finds field `index`, counted from 0. Returns false, and leaves `field` alone, if the line has no such
  /// field. If map asks for fields in ascending order, no field is searched for twice.
  [[nodiscard]] DUOMAP_HD bool get(std::uint64_t index, byte_view& field) const {
#if !defined(__CUDA_ARCH__)
    if (ends_ != nullptr) {
      if (index >= fields_) return false;
      field = known_field(static_cast<std::uint32_t>(index));
      return true;
    }
#endif
    if (index < next_) next_ = next_start_ = 0;
    while (true) {
      const std::uint64_t at = next_;
      byte_view found;
      const std::uint64_t end = read_field(next_start_, found);
      const bool last = end == line_.text.size;
      if (!last) {
        ++next_;
        next_start_ = end + 1;
      }
      if (at == index) field = found;
      if (at == index || last) return at == index;
    }
  }

 private:
  [[nodiscard]] byte_view known_field(std::uint32_t index) const {
    const std::uint64_t begin = index == 0 ? 0 : ends_[index - 1] + 1u - start_;
    const std::uint64_t end = index + 1 == fields_ ? line_.text.size : ends_[index] - start_;
    return line_.text.sub(begin, end - begin);
  }

  [[nodiscard]] DUOMAP_HD std::uint64_t field_end(std::uint64_t at) const {
    return find_byte(line_.text, delimiter_, at);
  }

  /// Reads the field that begins at `start`. Returns the place of its delimiter, or the end of the line.
  [[nodiscard]] DUOMAP_HD std::uint64_t read_field(std::uint64_t start, byte_view& field) const {
    const byte_view text = line_.text;
    if (quote_ == '\0' || start == text.size || text[start] != quote_) {
      const std::uint64_t end = field_end(start);
      field = text.sub(start, end - start);
      return end;
    }
    std::uint64_t close = find_byte(text, quote_, start + 1);
    while (close + 1 < text.size && text[close + 1] == quote_) close = find_byte(text, quote_, close + 2);
    if (close == text.size) {
      field = text.sub(start + 1, text.size - start - 1);
      return text.size;
    }
    const std::uint64_t end = field_end(close + 1);
    field = end == close + 1 ? text.sub(start + 1, close - start - 1) : text.sub(start, end - start);
    return end;
  }

  line line_;
  char delimiter_;
  char quote_;
  // The number and the place of the field at which the next search starts. It is the field behind the last
  // one that was found, if there is such a field.
  mutable std::uint64_t next_ = 0;
  mutable std::uint64_t next_start_ = 0;
  // The fields that a scanner has found (cpu/scan/scan_fields.hpp). A GPU has no such scanner.
  const std::uint16_t* ends_ = nullptr;
  std::uint32_t fields_ = 0;
  std::uint32_t start_ = 0;
};

/// Lines of delimited text. A newline always ends a record, even between quotes, so a record can be found
/// from any position of the file.
struct fields {
  using record = field_list;

  char delimiter = '\t';
  /// The byte that quotes fields, usually '"'; by default there is none. As in RFC 4180, a field that begins
  /// with a quote ends with one, and delimiters between the two belong to the field. map gets the bytes
  /// between the quotes, in which two quotes stay two. A '\r' at the end of a line belongs to no field. A
  /// quote that is never closed reaches to the end of the line.
  char quote = '\0';

  [[nodiscard]] static constexpr std::uint64_t grain() { return lines::grain(); }
  [[nodiscard]] std::uint64_t first_start(byte_view source, std::uint64_t from, std::uint64_t limit) const {
    return lines{}.first_start(source, from, limit);
  }
  [[nodiscard]] std::uint64_t last_start(byte_view block) const { return lines{}.last_start(block); }

  /// Whether the line ends with a '\r' that belongs to no field.
  [[nodiscard]] DUOMAP_HD bool strips_return(byte_view line) const {
    return quote != '\0' && !line.empty() && line[line.size - 1] == '\r';
  }

  /// `may_have_quote`: false if the line is known to have no quote.
  [[nodiscard]] DUOMAP_HD field_list fields_of(line whole, bool may_have_quote = true) const {
    if (strips_return(whole.text)) --whole.text.size;
    return {whole, delimiter, may_have_quote ? quote : '\0'};
  }

  /// Calls use(field_list) for every line of the chunk, in order.
  template <class Use>
  DUOMAP_HD void for_each_record(const chunk& part, Use&& use) const {
    const fields settings = *this;
    lines{}.for_each_record(part, [&](const line& l) { use(settings.fields_of(l)); });
  }
};

}  // namespace duomap
