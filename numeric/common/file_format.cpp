// Recognises formats by first bytes, endings of names and first lines.
#include "numeric/common/file_format.hpp"

#include "core/input/compression.hpp"
#include "core/text/find_byte.hpp"
#include "core/text/number.hpp"
#include "numeric/common/decimal.hpp"
#include "numeric/common/delimited_line.hpp"
#include "numeric/common/idx_header.hpp"
#include "numeric/common/npy_header.hpp"

#include <string_view>

namespace duomap {
namespace {

bool is_feature(byte_view field) {
  const parsed<std::uint64_t> index = parse_integer<std::uint64_t>(field);
  if (index.status != parse_status::number || index.used == field.size || field[index.used] != ':')
    return false;
  const byte_view value = field.sub(index.used + 1, field.size - index.used - 1);
  return whole_decimal<double>(value).status != decimal_status::none;
}

/// Whether a line is a number followed by INDEX:VALUE.
bool is_libsvm_line(byte_view line) {
  delimited_line fields(line, ' ');
  delimited_field field;
  if (!fields.next(field) || whole_decimal<double>(field.text).status == decimal_status::none) return false;
  return fields.next(field) && is_feature(field.text);
}

}  // namespace

data_format format_of_file(byte_view content, const std::string& path) {
  if (content.text().starts_with(npy_magic)) return data_format::npy;
  if (begins_as_idx(content)) return data_format::idx;
  const std::string_view name = without_ending(path);
  if (name.ends_with(".csv") || name.ends_with(".tsv")) return data_format::delimited;
  if (name.ends_with(".libsvm") || name.ends_with(".svm") || name.ends_with(".svmlight")) {
    return data_format::libsvm;
  }
  constexpr int looked_at = 10;
  std::uint64_t at = 0;
  for (int line = 0; line < looked_at && at < content.size; ++line) {
    const std::uint64_t end = find_byte(content, '\n', at);
    if (is_libsvm_line(content.sub(at, end - at))) return data_format::libsvm;
    at = end + 1;
  }
  return data_format::delimited;
}

}  // namespace duomap
