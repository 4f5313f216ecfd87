// Reads Arrow's formats, and checks the buffers of columns before anything follows their offsets.
#include "arrow_columns.hpp"

#include "arrow_checks.hpp"

#include <charconv>
#include <cstring>
#include <limits>
#include <string_view>
#include <system_error>
#include <utility>

namespace duomap::python {
namespace {

using apps::column_kind;
using apps::column_type;
using apps::column_view;

struct known_format {
  std::string_view format;
  const char* type;
  column_kind kind;
  bool text = false;
  bool time = false;
};

constexpr known_format known_formats[] = {
    {"n", "null", column_kind::nothing},
    {"b", "bool", column_kind::boolean},
    {"c", "int8", column_kind::int8},
    {"C", "uint8", column_kind::uint8},
    {"s", "int16", column_kind::int16},
    {"S", "uint16", column_kind::uint16},
    {"i", "int32", column_kind::int32},
    {"I", "uint32", column_kind::uint32},
    {"l", "int64", column_kind::int64},
    {"L", "uint64", column_kind::uint64},
    {"e", "halffloat", column_kind::float16},
    {"f", "float", column_kind::float32},
    {"g", "double", column_kind::float64},
    {"u", "string", column_kind::texts, true},
    {"z", "binary", column_kind::texts, true},
    {"U", "large_string", column_kind::large_texts, true},
    {"Z", "large_binary", column_kind::large_texts, true},
    {"vu", "string_view", column_kind::text_views, true},
    {"vz", "binary_view", column_kind::text_views, true},
    {"tdD", "date32", column_kind::int32, false, true},
    {"tdm", "date64", column_kind::int64, false, true},
};

/// A moment or a duration; with a zone behind the colon.
constexpr std::pair<std::string_view, const char*> moments[] = {
    {"tss:", "timestamp[s]"}, {"tsm:", "timestamp[ms]"}, {"tsu:", "timestamp[us]"}, {"tsn:", "timestamp[ns]"},
    {"tDs", "duration[s]"},   {"tDm", "duration[ms]"},   {"tDu", "duration[us]"},   {"tDn", "duration[ns]"}};

/// The type of "d:PRECISION,SCALE" or "d:PRECISION,SCALE,128".
column_type decimal_type(std::string_view format) {
  column_type found{.type = "decimal(" + std::string(format.substr(2)) + ")",
                    .kind = column_kind::decimal128};
  const std::size_t comma = format.find(',');
  const std::string_view scale = comma == std::string_view::npos ? "" : format.substr(comma + 1);
  const auto [end, status] = std::from_chars(scale.data(), scale.data() + scale.size(), found.scale);
  const std::string_view rest = scale.substr(static_cast<std::size_t>(end - scale.data()));
  found.known = status == std::errc{} && (rest.empty() || rest == ",128");
  return found;
}

column_type type_of(std::string_view format) {
  for (const known_format& one : known_formats) {
    if (one.format == format) return {.type = one.type, .time = one.time, .text = one.text, .kind = one.kind};
  }
  for (const auto& [begin, type] : moments) {
    if (format.starts_with(begin)) return {.type = type, .time = true, .kind = column_kind::int64};
  }
  if (format.starts_with("d:")) return decimal_type(format);
  return {.type = "'" + std::string(format) + "' of Arrow", .known = false};
}

std::uint64_t width_of(column_kind kind) {
  std::uint64_t width = 0;
  apps::with_whole_type(kind, [&]<class T>(T) { width = sizeof(T); });
  if (width > 0) return width;
  switch (kind) {
    case column_kind::float16:
      return 2;
    case column_kind::float32:
    case column_kind::texts:
      return 4;
    case column_kind::float64:
    case column_kind::large_texts:
      return 8;
    case column_kind::nothing:
    case column_kind::boolean:
      return 0;
    default:
      return 16;
  }
}

bool is_row_null(const column_view& view, std::uint64_t row) {
  return view.valid != nullptr && !apps::bit_at(view.valid, view.first + row);
}

template <class Offset>
void check_offsets(const column_view& view, std::uint64_t count) {
  auto last = apps::value_at<Offset>(view.values, view.first);
  if (last < 0) throw_malformed("a text begins at " + std::to_string(last));
  for (std::uint64_t i = 1; i <= count; ++i) {
    const auto next = apps::value_at<Offset>(view.values, view.first + i);
    if (next < last)
      throw_malformed("a text begins at " + std::to_string(last) + " and ends at " + std::to_string(next));
    last = next;
  }
  if (last > 0 && view.bytes == nullptr) throw_malformed("a buffer of values is missing");
}

// Behind the views come the buffers of long texts. The last buffer has the sizes of these buffers.
void check_views(const column_view& view, const ArrowArray& of, std::uint64_t count) {
  constexpr std::int32_t longest_inside = 12;
  const std::int64_t buffers = of.n_buffers - 3;
  const void* const sizes = of.buffers[of.n_buffers - 1];
  if (buffers > 0 && sizes == nullptr) throw_malformed("the sizes of the buffers of texts are missing");
  for (std::uint64_t row = 0; row < count; ++row) {
    if (is_row_null(view, row)) continue;
    const char* const one = view.values + (view.first + row) * 16;
    const auto length = apps::value_at<std::int32_t>(one, 0);
    if (length < 0) throw_malformed("a text has the length " + std::to_string(length));
    if (length <= longest_inside) continue;
    const auto buffer = apps::value_at<std::int32_t>(one, 2);
    const auto begin = apps::value_at<std::int32_t>(one, 3);
    if (buffer < 0 || buffer >= buffers || of.buffers[2 + buffer] == nullptr || begin < 0 ||
        std::int64_t{begin} + length >
            apps::value_at<std::int64_t>(sizes, static_cast<std::uint64_t>(buffer)))
      throw_malformed("a text lies outside its buffer");
  }
}

void check_places(const column_view& view, std::uint64_t count, std::uint64_t size) {
  apps::with_whole_type(view.kind, [&]<class T>(T) {
    for (std::uint64_t row = 0; row < count; ++row) {
      if (is_row_null(view, row)) continue;
      const T place = apps::value_at<T>(view.values, view.first + row);
      if (std::cmp_less(place, 0) || std::cmp_greater_equal(place, size))
        throw_malformed("a place in a dictionary of " + std::to_string(size) + " is " +
                        std::to_string(place));
    }
  });
}

column_view view_of_values(std::string_view format, const ArrowArray& of, std::int64_t from,
                           std::int64_t count) {
  const column_type type = type_of(format);
  column_view view{.kind = type.kind, .scale = type.scale, .first = static_cast<std::uint64_t>(from)};
  if (view.kind == column_kind::nothing) return view;
  check_array(of, {.buffers = type.text ? 3 : 2}, format);
  check_rows(of, from, count);
  if (of.null_count != 0) view.valid = static_cast<const std::uint8_t*>(of.buffers[0]);
  view.values = static_cast<const char*>(of.buffers[1]);
  if (view.values == nullptr && count > 0) throw_malformed("a buffer of values is missing");
  if (!type.text || count == 0) return view;
  const auto rows = static_cast<std::uint64_t>(count);
  if (view.kind == column_kind::text_views) {
    view.buffers = of.buffers + 2;
    check_views(view, of, rows);
    return view;
  }
  view.bytes = static_cast<const char*>(of.buffers[2]);
  view.kind == column_kind::texts ? check_offsets<std::int32_t>(view, rows)
                                  : check_offsets<std::int64_t>(view, rows);
  return view;
}

}  // namespace

column_type column_type_of(const ArrowSchema& schema) {
  column_type found = type_of(schema.format);
  if (schema.dictionary != nullptr) {
    const column_type values = type_of(schema.dictionary->format);
    found.type = "dictionary of " + values.type;
    found.text = true;
    found.known = found.known && values.text && schema.dictionary->dictionary == nullptr;
  }
  found.name = schema.name == nullptr ? "" : schema.name;
  return found;
}

std::string meaning_of(const ArrowSchema& schema) {
  const column_type type = column_type_of(schema);
  return !type.text && (type.time || type.kind == column_kind::boolean) ? schema.format : "";
}

column_view view_of_rows(const arrow_rows& rows, std::deque<column_view>& dictionaries) {
  column_view view = view_of_values(rows.schema.format, rows.of, rows.from, rows.count);
  if (rows.schema.dictionary == nullptr) return view;
  const ArrowArray* const of = rows.of.dictionary;
  if (of == nullptr) throw_malformed("the dictionary of an array is missing");
  dictionaries.push_back(view_of_values(rows.schema.dictionary->format, *of, of->offset, of->length));
  dictionaries.back().size = static_cast<std::uint64_t>(of->length);
  view.dictionary = &dictionaries.back();
  check_places(view, static_cast<std::uint64_t>(rows.count), static_cast<std::uint64_t>(of->length));
  return view;
}

std::uint64_t bytes_of_rows(const arrow_rows& rows) {
  constexpr std::uint64_t guess = 16;
  const column_type type = type_of(rows.schema.format);
  const auto count = static_cast<std::uint64_t>(rows.count);
  const auto from = static_cast<std::uint64_t>(rows.from);
  check_rows(rows.of, rows.from, rows.count);
  const std::uint64_t bytes = count * (type.known ? width_of(type.kind) : guess);
  const bool offsets = type.known && type.text && rows.of.n_buffers == 3 && rows.of.buffers != nullptr &&
                       rows.of.buffers[1] != nullptr;
  if (!offsets || count == 0) return bytes;
  const auto text_bytes = [&]<class Offset>(Offset) {
    const auto begin = apps::value_at<Offset>(rows.of.buffers[1], from);
    const auto end = apps::value_at<Offset>(rows.of.buffers[1], from + count);
    return end < begin ? 0 : static_cast<std::uint64_t>(end) - static_cast<std::uint64_t>(begin);
  };
  if (type.kind == column_kind::texts) return bytes + text_bytes(std::int32_t{});
  return type.kind == column_kind::large_texts ? bytes + text_bytes(std::int64_t{}) : bytes;
}

}  // namespace duomap::python
