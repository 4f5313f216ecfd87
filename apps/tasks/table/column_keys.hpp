// Writes the key columns of a row as the bytes of one key, and reads them back.
// host only
#pragma once

#include "apps/tasks/table/column_plan.hpp"
#include "apps/tasks/table/column_view.hpp"
#include "core/byte_view.hpp"

#include <cstdint>
#include <cstring>
#include <string>

namespace duomap::apps {

/// The values of a key column.
struct key_form {
  bool text = false;
  bool is_signed = false;
  unsigned char width = 0;  ///< bytes of a whole number; 0: a text, or always null

  friend bool operator==(const key_form&, const key_form&) = default;
};

/// A value of a key column.
struct key_value {
  bool null = true;
  byte_view text = {};
  std::int64_t number = 0;  ///< the bits of a number that has no sign, too
};

/// Different keys have different bytes. The text of a single key column is its own key, so it is not copied.
/// Only null and texts that begin with the byte 0xff, which no UTF-8 has, get that byte in front. A single
/// number is its bytes, and null is no byte. A key of several columns begins with a byte whose bit k says
/// that column k is null. The values that are not null follow: numbers as their bytes, texts behind their
/// lengths; the last column needs no length.
struct key_layout {
  unsigned count = 0;
  key_form forms[most_key_columns] = {};

  /// The key of a row. It is in `made`, or in the memory of the columns.
  [[nodiscard]] byte_view key_of(const column_view* columns, std::uint64_t row, std::string& made) const {
    if (count == 1) return single_key(columns[0], row, made);
    made.assign(1, '\0');
    for (unsigned k = 0; k < count; ++k) {
      if (is_null(columns[k], row)) {
        made[0] = static_cast<char>(static_cast<unsigned char>(made[0]) | 1u << k);
        continue;
      }
      const byte_view value = bytes_of(k, columns[k], row);
      if (forms[k].text && k + 1 < count) add_length(value.size, made);
      made.append(value.data, value.size);
    }
    return byte_view(made);
  }

  /// Calls use(k, value) for each column of a key.
  template <class Use>
  void for_each_value(byte_view key, const Use& use) const {
    if (count == 1) return use(0u, single_value(key));
    const auto nulls = static_cast<unsigned char>(key[0]);
    std::uint64_t at = 1;
    for (unsigned k = 0; k < count; ++k) {
      if ((nulls >> k & 1u) != 0) {
        use(k, key_value{});
        continue;
      }
      const std::uint64_t size = !forms[k].text  ? forms[k].width
                                 : k + 1 < count ? length_at(key, at)
                                                 : key.size - at;
      use(k, value_of(k, key.sub(at, size)));
      at += size;
    }
  }

 private:
  static constexpr char mark = '\xff';

  [[nodiscard]] static byte_view bytes_of_bit(bool bit) { return {bit ? "\1" : "\0", 1}; }

  /// The bytes of a value that is not null.
  [[nodiscard]] byte_view bytes_of(unsigned k, const column_view& column, std::uint64_t row) const {
    if (forms[k].text) return text_at(column, row);
    if (column.kind == column_kind::boolean) return bytes_of_bit(bit_at(column.values, column.first + row));
    return {column.values + (column.first + row) * forms[k].width, forms[k].width};
  }

  [[nodiscard]] byte_view single_key(const column_view& column, std::uint64_t row, std::string& made) const {
    static constexpr char null[] = {mark};
    if (is_null(column, row)) return {null, forms[0].text ? 1u : 0u};
    const byte_view value = bytes_of(0, column, row);
    if (!forms[0].text || value.size == 0 || value[0] != mark) return value;
    made.assign(1, mark);
    made.append(value.data, value.size);
    return byte_view(made);
  }

  [[nodiscard]] key_value single_value(byte_view key) const {
    if (!forms[0].text) return key.size == 0 ? key_value{} : value_of(0, key);
    if (key.size == 0 || key[0] != mark) return value_of(0, key);
    return key.size == 1 ? key_value{} : value_of(0, key.sub(1, key.size - 1));
  }

  [[nodiscard]] key_value value_of(unsigned k, byte_view bytes) const {
    if (forms[k].text) return {.null = false, .text = bytes};
    std::uint64_t number = 0;
    std::memcpy(&number, bytes.data, bytes.size);
    const unsigned unused = 64 - 8u * forms[k].width;
    if (forms[k].is_signed)
      return {.null = false, .number = static_cast<std::int64_t>(number << unused) >> unused};
    return {.null = false, .number = static_cast<std::int64_t>(number)};
  }

  /// Seven bits of the length a byte, the lowest first. The top bit of a byte says that another one follows.
  static void add_length(std::uint64_t length, std::string& to) {
    for (; length >= 128; length >>= 7) to += static_cast<char>(length | 128u);
    to += static_cast<char>(length);
  }
  /// Reads a length and moves `at` behind it.
  [[nodiscard]] static std::uint64_t length_at(byte_view key, std::uint64_t& at) {
    std::uint64_t length = 0;
    for (unsigned shift = 0;; shift += 7) {
      const auto byte = static_cast<unsigned char>(key[at++]);
      length |= std::uint64_t{byte & 127u} << shift;
      if (byte < 128) return length;
    }
  }
};

}  // namespace duomap::apps
