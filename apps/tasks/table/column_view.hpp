// A column of a table in memory: one array for the values of all rows, and a bit for each row that has a
// value. Apache Arrow lays columns out like this.
// host only
#pragma once

#include "core/byte_view.hpp"

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace duomap::apps {

/// The layout of a column's values.
enum class column_kind : unsigned char {
  nothing,  ///< every row is null
  boolean,  ///< one bit a row
  int8,
  int16,
  int32,
  int64,
  uint8,
  uint16,
  uint32,
  uint64,
  float16,
  float32,
  float64,
  decimal128,   ///< whole numbers of units of 10^-scale
  texts,        ///< 32-bit offsets into `bytes`, one more than there are rows
  large_texts,  ///< 64-bit offsets
  text_views,   ///< 16 bytes a row: a short text itself, or the place of a long one in `buffers`
};

/// Points to a column. The memory belongs to the caller.
struct column_view {
  column_kind kind = column_kind::nothing;
  unsigned scale = 0;                       ///< of decimal128
  std::uint64_t first = 0;                  ///< the place of row 0 in `valid` and `values`
  const std::uint8_t* valid = nullptr;      ///< bits, the lowest first; null: no row is null
  const char* values = nullptr;             ///< perhaps not aligned
  const char* bytes = nullptr;              ///< of texts
  const void* const* buffers = nullptr;     ///< of text views
  const column_view* dictionary = nullptr;  ///< texts; `values` then has places in it
  std::uint64_t size = 0;                   ///< of a dictionary: how many texts it has; 0: not known

  [[nodiscard]] bool has_texts() const {
    return dictionary != nullptr || kind == column_kind::texts || kind == column_kind::large_texts ||
           kind == column_kind::text_views;
  }
};

/// The value at a place of an array, which need not be aligned.
template <class T>
[[nodiscard]] T value_at(const void* values, std::uint64_t place) {
  T value;
  std::memcpy(&value, static_cast<const char*>(values) + place * sizeof(T), sizeof value);
  return value;
}

[[nodiscard]] inline bool bit_at(const void* bits, std::uint64_t place) {
  const unsigned eight = static_cast<const std::uint8_t*>(bits)[place / 8];
  return (eight >> (place % 8) & 1u) != 0;
}

/// Calls use(T{}) with the type of the numbers of a kind. Does nothing for kinds that are no whole numbers.
template <class Use>
void with_whole_type(column_kind kind, const Use& use) {
  switch (kind) {
    case column_kind::int8:
      return use(std::int8_t{});
    case column_kind::int16:
      return use(std::int16_t{});
    case column_kind::int32:
      return use(std::int32_t{});
    case column_kind::int64:
      return use(std::int64_t{});
    case column_kind::uint8:
      return use(std::uint8_t{});
    case column_kind::uint16:
      return use(std::uint16_t{});
    case column_kind::uint32:
      return use(std::uint32_t{});
    case column_kind::uint64:
      return use(std::uint64_t{});
    default:
      return;
  }
}

/// The place of a row's text in the dictionary.
[[nodiscard]] inline std::uint64_t dictionary_place(const column_view& column, std::uint64_t row) {
  std::uint64_t place = 0;
  with_whole_type(column.kind, [&]<class T>(T) {
    place = static_cast<std::make_unsigned_t<T>>(value_at<T>(column.values, column.first + row));
  });
  return place;
}

namespace detail {

[[nodiscard]] inline bool has_no_value(const column_view& column, std::uint64_t row) {
  return column.valid != nullptr && !bit_at(column.valid, column.first + row);
}

/// The text between two of the offsets.
template <class Offset>
[[nodiscard]] byte_view text_between(const column_view& column, std::uint64_t place) {
  const auto begin = value_at<Offset>(column.values, place);
  const auto end = value_at<Offset>(column.values, place + 1);
  return {column.bytes + begin, static_cast<std::uint64_t>(end - begin)};
}

/// A view has the length, four bytes of the text, the number of a buffer, and the place in it. A text of up
/// to 12 bytes stands behind its length.
[[nodiscard]] inline byte_view viewed_text(const column_view& column, std::uint64_t place) {
  constexpr std::uint32_t most_inside = 12;
  const char* const view = column.values + place * 16;
  const auto size = value_at<std::uint32_t>(view, 0);
  if (size <= most_inside) return {view + sizeof size, size};
  const auto* const buffer = static_cast<const char*>(column.buffers[value_at<std::uint32_t>(view, 2)]);
  return {buffer + value_at<std::uint32_t>(view, 3), size};
}

}  // namespace detail

[[nodiscard]] inline bool is_null(const column_view& column, std::uint64_t row) {
  if (column.kind == column_kind::nothing || detail::has_no_value(column, row)) return true;
  return column.dictionary != nullptr &&
         detail::has_no_value(*column.dictionary, dictionary_place(column, row));
}

/// The text of a row that is not null.
[[nodiscard]] inline byte_view text_at(const column_view& column, std::uint64_t row) {
  const column_view& texts = column.dictionary != nullptr ? *column.dictionary : column;
  const std::uint64_t place =
      texts.first + (column.dictionary != nullptr ? dictionary_place(column, row) : row);
  if (texts.kind == column_kind::texts) return detail::text_between<std::int32_t>(texts, place);
  if (texts.kind == column_kind::large_texts) return detail::text_between<std::int64_t>(texts, place);
  return detail::viewed_text(texts, place);
}

}  // namespace duomap::apps
