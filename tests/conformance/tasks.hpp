// Declares small tasks: at least one for every kind of key, record format, reduction and optional member.
#pragma once

#include "core/record/fields.hpp"
#include "core/record/index_range.hpp"
#include "core/record/lines.hpp"
#include "core/record/rows.hpp"
#include "core/record/words.hpp"
#include "core/task.hpp"
#include "tests/conformance/kept_tasks.hpp"
#include "tests/conformance/task_pieces.hpp"

#include <array>
#include <cstdint>
#include <cstring>

namespace duomap::test {

// Tasks with hashed keys.

/// Each key is a view into its record.
struct word_counts {
  using format = words;
  using key = byte_view;
  using reduce = sum<std::uint64_t>;

  bool lower_case = false;

  [[nodiscard]] words records() const { return {.lower_case = lower_case}; }
  DUOMAP_HD void map(byte_view word, auto& emit) const { emit(word, 1); }
};

/// finish() gives a result of another type than the reduced value.
struct finished_word_counts : word_counts {
  struct summary {
    double half;
    std::uint32_t key_bytes;
    friend bool operator==(const summary&, const summary&) = default;
  };
  [[nodiscard]] summary finish(byte_view word, std::uint64_t count) const {
    return {static_cast<double>(count) / 2, static_cast<std::uint32_t>(word.size)};
  }
};

/// Emits the last 1 to 20 bytes of a word, reversed: many emits for a record, with keys in a buffer of map.
struct reversed_endings {
  using format = words;
  using key = byte_view;
  using reduce = maximum<std::uint32_t>;

  DUOMAP_HD void map(byte_view word, auto& emit) const {
    char buffer[20];
    for (std::uint64_t size = 0; size < sizeof buffer && size < word.size; ++size) {
      buffer[size] = word[word.size - 1 - size];
      emit(byte_view{buffer, size + 1}, static_cast<std::uint32_t>(word.size));
    }
  }
};

/// Keys are a line's bytes up to its first blank, and the empty key, with an address or without.
struct line_heads {
  using format = lines;
  using key = byte_view;
  using reduce = sum<std::uint64_t>;

  DUOMAP_HD void map(const line& l, auto& emit) const {
    std::uint64_t end = 0;
    while (end < l.text.size && l.text[end] != ' ') ++end;
    emit(l.text.sub(0, end), 1);
    emit(byte_view{}, 100);
  }
};

/// Each record has one of three keys of one length, in a local buffer. The lengths lie around every limit,
/// and the keys contain NUL bytes.
struct key_lengths {
  using format = index_range;
  using key = byte_view;
  using reduce = sum<std::uint64_t>;

  static constexpr std::uint64_t longest = 100'000;

  DUOMAP_HD void map(std::uint64_t index, auto& emit) const {
    constexpr std::uint64_t lengths[] = {0,  1,  2,  7,  8,   9,   14,   15,     16,
                                         17, 63, 64, 65, 255, 256, 1000, longest};
    constexpr std::uint64_t count = sizeof lengths / sizeof lengths[0];
    char buffer[longest];
    const std::uint64_t size = lengths[index % count];
    for (std::uint64_t i = 0; i < size; ++i) buffer[i] = static_cast<char>(i % 3);
    // Keys of equal length differ only in the first, the middle or the last byte.
    const std::uint64_t variant = index / count % 3;
    if (size > 0) buffer[variant * (size - 1) / 2] = '\x7F';
    emit(byte_view{buffer, size}, index);
  }
};

/// Keys that differ only in the number of their NUL bytes.
struct nul_keys {
  using format = index_range;
  using key = byte_view;
  using reduce = sum<std::uint64_t>;

  DUOMAP_HD void map(std::uint64_t index, auto& emit) const {
    const char zeros[32] = {};
    emit(byte_view{zeros, index % 33}, 1);
  }
};

/// Keys of a fixed size of N bytes.
template <std::size_t N>
struct word_heads {
  using format = words;
  using key = std::array<char, N>;
  using reduce = minimum<std::uint64_t>;

  DUOMAP_HD void map(byte_view word, auto& emit) const { emit(head<N>(word), mix(word)); }
};

/// A key of fixed size with two fields, from delimited text.
struct field_shape {
  std::uint32_t size;
  std::uint32_t index;
};

struct field_sums {
  using format = fields;
  using key = field_shape;
  using reduce = sum<std::int64_t>;

  [[nodiscard]] static fields records() { return {.delimiter = ','}; }
  DUOMAP_HD void map(const field_list& record, auto& emit) const {
    record.for_each([&](std::uint64_t index, byte_view field) {
      if (index < 4) {
        emit(field_shape{static_cast<std::uint32_t>(field.size % 5), static_cast<std::uint32_t>(index)},
             static_cast<std::int64_t>(mix(field) >> 20) - (std::int64_t{1} << 43));
      }
    });
    byte_view third;
    if (record.get(2, third)) emit(field_shape{100, static_cast<std::uint32_t>(third.size)}, -1);
  }
};

/// A user's own reduction, for keys and values of 64 bits.
struct exclusive_or {
  using value_type = std::uint64_t;
  static constexpr bool associative = true;
  static constexpr bool commutative = true;
  [[nodiscard]] DUOMAP_HD std::uint64_t identity() const { return 0; }
  [[nodiscard]] DUOMAP_HD std::uint64_t operator()(std::uint64_t a, std::uint64_t b) const { return a ^ b; }
};

struct number_parity {
  using format = rows<std::uint64_t>;
  using key = std::uint64_t;
  using reduce = exclusive_or;

  [[nodiscard]] static rows<std::uint64_t> records() { return {.width = 2, .header_bytes = 24}; }
  DUOMAP_HD void map(const row<std::uint64_t>& r, auto& emit) const {
    emit(r[0], r[1] ^ r.index);
    emit(~std::uint64_t{0}, r[1]);
  }
};

/// The rows themselves are the keys. No padding follows a row.
struct row_counts {
  using format = rows<char>;
  using key = byte_view;
  using reduce = sum<std::uint64_t>;

  std::uint32_t width = 5;

  [[nodiscard]] rows<char> records() const { return {.width = width}; }
  DUOMAP_HD void map(const row<char>& r, auto& emit) const { emit(byte_view{r.values, r.width}, 1); }
};

// Tasks with dense keys.

struct byte_histogram {
  using format = rows<unsigned char>;
  using key = dense;
  using reduce = sum<std::uint64_t>;

  [[nodiscard]] static std::uint64_t key_count() { return 256; }
  DUOMAP_HD void map(const row<unsigned char>& r, auto& emit) const { emit(r[0], 1); }
};

/// The value of cell_moments: three fields, from which finish() computes the result.
struct moments {
  std::uint64_t count;
  std::int64_t total;
  std::uint64_t squares;
  friend bool operator==(const moments&, const moments&) = default;
};

struct add_moments {
  using value_type = moments;
  static constexpr bool associative = true;
  static constexpr bool commutative = true;
  [[nodiscard]] DUOMAP_HD moments identity() const { return {0, 0, 0}; }
  [[nodiscard]] DUOMAP_HD moments operator()(const moments& a, const moments& b) const {
    return {a.count + b.count, a.total + b.total, a.squares + b.squares};
  }
};

struct cell_moments {
  using format = rows<std::int32_t>;
  using key = dense;
  using reduce = add_moments;

  std::uint64_t cells = 5;

  [[nodiscard]] static rows<std::int32_t> records() { return {.width = 3, .header_bytes = 8}; }
  [[nodiscard]] std::uint64_t key_count() const { return cells; }
  DUOMAP_HD void map(const row<std::int32_t>& r, auto& emit) const {
    const std::int64_t value = r[1];
    emit(static_cast<std::uint32_t>(r[0]) % cells,
         moments{1, value, static_cast<std::uint64_t>(value * value)});
  }
  [[nodiscard]] DUOMAP_HD moments finish(std::uint64_t cell, const moments& m) const {
    return {m.count, m.total + static_cast<std::int64_t>(cell), 0};
  }
};

/// A reduction without an identity, whose values have one bit.
struct either {
  using value_type = bool;
  static constexpr bool associative = true;
  static constexpr bool commutative = true;
  [[nodiscard]] DUOMAP_HD bool operator()(bool a, bool b) const { return a || b; }
};

/// Some keys get no emit, and there are more keys than a merge handles in one range.
struct seen_values {
  using format = rows<std::uint16_t>;
  using key = dense;
  using reduce = either;

  [[nodiscard]] static rows<std::uint16_t> records() { return {.width = 2}; }
  [[nodiscard]] static std::uint64_t key_count() { return 65536; }
  DUOMAP_HD void map(const row<std::uint16_t>& r, auto& emit) const { emit(r[0], r[1] % 3 == 0); }
};

/// The broadcast centres decide the key of a number: the nearest centre.
struct nearest_centre {
  using format = rows<std::int32_t>;
  using key = dense;
  using reduce = sum<std::uint64_t>;

  broadcast<std::int64_t> centres;

  [[nodiscard]] std::uint64_t key_count() const { return centres.size; }
  DUOMAP_HD void visit_broadcast(auto&& visit) { visit(centres); }
  DUOMAP_HD void map(const row<std::int32_t>& r, auto& emit) const {
    std::uint64_t best = 0;
    const auto distance = [&](std::uint64_t i) {
      return centres[i] < r[0] ? r[0] - centres[i] : centres[i] - r[0];
    };
    for (std::uint64_t i = 1; i < centres.size; ++i) {
      if (distance(i) < distance(best)) best = i;
    }
    emit(best, 1);
  }
};

/// Each index is a pair of row and column in a triangle.
struct pair_distances {
  using format = index_range;
  using key = dense;
  using reduce = maximum<std::uint64_t>;

  [[nodiscard]] static index_range records() { return {.indices_per_grain = 16}; }
  [[nodiscard]] static std::uint64_t key_count() { return 128; }
  DUOMAP_HD void map(std::uint64_t index, auto& emit) const {
    std::uint64_t row = 0;
    while ((row + 1) * (row + 2) / 2 <= index) ++row;
    const std::uint64_t column = index - row * (row + 1) / 2;
    emit(row - column, row * 1000 + column);
  }
};

/// Maps whole chunks instead of records.
struct chunk_newlines {
  using format = lines;
  using key = dense;
  using reduce = sum<std::uint64_t>;

  [[nodiscard]] static std::uint64_t key_count() { return 2; }
  void map_chunk(const chunk& part, auto& emit) const {
    std::uint64_t newlines = 0;
    for (std::uint64_t i = 0; i < part.size; ++i) newlines += part.data[i] == '\n' ? 1 : 0;
    emit(0, newlines);
    emit(1, part.size);
  }
};

/// From the eleventh record on, keys are out of range.
struct overflowing_keys {
  using format = index_range;
  using key = dense;
  using reduce = sum<std::uint64_t>;

  [[nodiscard]] static std::uint64_t key_count() { return 10; }
  DUOMAP_HD void map(std::uint64_t index, auto& emit) const { emit(index, 1); }
};

// Tasks without a key.

template <class Reduce>
struct overall {
  using format = rows<std::int64_t>;
  using key = no_key;
  using reduce = Reduce;

  DUOMAP_HD void map(const row<std::int64_t>& r, auto& emit) const {
    emit({static_cast<typename Reduce::value_type>(r[0])});  // braces as for a struct: no type can be deduced
  }
};

/// Three answers in one run, each from the rows that meet its own condition.
struct extremes {
  using format = rows<std::int64_t>;
  using key = no_key;
  using reduce = slots<argmin<std::int64_t>, argmax<std::int64_t>, sum<std::uint64_t>>;

  [[nodiscard]] static rows<std::int64_t> records() { return {.width = 2}; }
  DUOMAP_HD void map(const row<std::int64_t>& r, auto& emit) const {
    if (r[1] % 2 == 0) emit(slot<0>, {r[0], r.index});
    if (r[1] % 3 == 0) emit(slot<1>, {r[0], r.index});
    if (r[1] % 5 == 0) emit(slot<2>, 1);
  }
};

}  // namespace duomap::test
