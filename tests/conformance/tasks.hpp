// Tiny tasks, at least one for every key kind, record format, reduction and optional part of a task.
#pragma once

#include "core/record/fields.hpp"
#include "core/record/index_range.hpp"
#include "core/record/lines.hpp"
#include "core/record/rows.hpp"
#include "core/record/words.hpp"
#include "core/task.hpp"

#include <array>
#include <cstdint>
#include <cstring>

namespace duomap::test {

// Small pieces that several tasks use.

/// Some number that depends on every byte.
[[nodiscard]] DUOMAP_HD inline std::uint64_t mix(byte_view text) {
  std::uint64_t h = 0x100 + text.size;
  for (std::uint64_t i = 0; i < text.size; ++i)
    h = (h ^ static_cast<unsigned char>(text[i])) * 0x9E3779B97F4A7C15u;
  return h ^ h >> 31;
}

/// The first `N` bytes of a text, zeros behind it.
template <std::size_t N>
[[nodiscard]] DUOMAP_HD std::array<char, N> head(byte_view text) {
  std::array<char, N> bytes{};
  for (std::uint64_t i = 0; i < N && i < text.size; ++i) bytes[i] = text[i];
  return bytes;
}

/// A place in the whole input.
[[nodiscard]] DUOMAP_HD inline std::uint64_t place_of(const line& l) {
  return std::uint64_t{l.source} << 40 | l.offset;
}

// Hashed keys.

/// Keys that are views into the record.
struct word_counts {
  using format = words;
  using key = byte_view;
  using reduce = sum<std::uint64_t>;

  bool lower_case = false;

  [[nodiscard]] words records() const { return {.lower_case = lower_case}; }
  DUOMAP_HD void map(byte_view word, auto& emit) const { emit(word, 1); }
};

/// The result is not of the type that is reduced.
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

/// Many emits for each record, the keys in a buffer of map's own: the last 1 to 20 bytes of a word,
/// backwards.
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

/// Empty keys, with and without an address, and keys that are a line up to its first blank.
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

/// Keys of lengths around every limit, with NUL bytes, in a local buffer. Record i has one of three keys of
/// one of the lengths.
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
    // Keys of one length differ in one byte only: the first, the middle or the last.
    const std::uint64_t variant = index / count % 3;
    if (size > 0) buffer[variant * (size - 1) / 2] = '\x7F';
    emit(byte_view{buffer, size}, index);
  }
};

/// Keys that nothing but trailing NUL bytes tells apart.
struct nul_keys {
  using format = index_range;
  using key = byte_view;
  using reduce = sum<std::uint64_t>;

  DUOMAP_HD void map(std::uint64_t index, auto& emit) const {
    const char zeros[32] = {};
    emit(byte_view{zeros, index % 33}, 1);
  }
};

/// Fixed-size keys of N bytes.
template <std::size_t N>
struct word_heads {
  using format = words;
  using key = std::array<char, N>;
  using reduce = minimum<std::uint64_t>;

  DUOMAP_HD void map(byte_view word, auto& emit) const { emit(head<N>(word), mix(word)); }
};

/// A fixed-size key of two fields, from delimited text.
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

/// Keys and values of 64 bits; a reduction of the user's own.
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

/// Rows as keys: views of bytes that no padding follows.
struct row_counts {
  using format = rows<char>;
  using key = byte_view;
  using reduce = sum<std::uint64_t>;

  std::uint32_t width = 5;

  [[nodiscard]] rows<char> records() const { return {.width = width}; }
  DUOMAP_HD void map(const row<char>& r, auto& emit) const { emit(byte_view{r.values, r.width}, 1); }
};

// Dense keys.

struct byte_histogram {
  using format = rows<unsigned char>;
  using key = dense;
  using reduce = sum<std::uint64_t>;

  [[nodiscard]] static std::uint64_t key_count() { return 256; }
  DUOMAP_HD void map(const row<unsigned char>& r, auto& emit) const { emit(r[0], 1); }
};

/// Several fields reduced at once, and a result computed from them.
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

/// A value type of one bit, no identity, keys that nobody emits, more keys than one range of a merge.
struct either {
  using value_type = bool;
  static constexpr bool associative = true;
  static constexpr bool commutative = true;
  [[nodiscard]] DUOMAP_HD bool operator()(bool a, bool b) const { return a || b; }
};

struct seen_values {
  using format = rows<std::uint16_t>;
  using key = dense;
  using reduce = either;

  [[nodiscard]] static rows<std::uint16_t> records() { return {.width = 2}; }
  [[nodiscard]] static std::uint64_t key_count() { return 65536; }
  DUOMAP_HD void map(const row<std::uint16_t>& r, auto& emit) const { emit(r[0], r[1] % 3 == 0); }
};

/// Broadcast state: to which of the given centres a number is nearest.
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

/// Pairs of a triangle, each an index taken apart.
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

/// Whole chunks instead of records.
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

/// Emits dense keys that are out of range from the tenth record on.
struct overflowing_keys {
  using format = index_range;
  using key = dense;
  using reduce = sum<std::uint64_t>;

  [[nodiscard]] static std::uint64_t key_count() { return 10; }
  DUOMAP_HD void map(std::uint64_t index, auto& emit) const { emit(index, 1); }
};

// No key.

template <class Reduce>
struct overall {
  using format = rows<std::int64_t>;
  using key = no_key;
  using reduce = Reduce;

  DUOMAP_HD void map(const row<std::int64_t>& r, auto& emit) const {
    emit(static_cast<typename Reduce::value_type>(r[0]));
  }
};

/// Several answers at once, each fed by a predicate of its own.
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

// Collect.

/// Keys and values that are bytes of any length.
struct lines_by_head {
  using format = lines;
  using key = byte_view;
  using reduce = collect<byte_view>;

  bool grouped = false;

  [[nodiscard]] collect<byte_view> reduction() const { return {.grouped = grouped}; }
  DUOMAP_HD void map(const line& l, auto& emit) const {
    if (l.text.size % 7 == 3) return;
    emit(l.text.sub(0, l.text.size < 3 ? l.text.size : 3), l.text);
    if (l.text.size > 16) emit(l.text, l.text.sub(0, 1));
  }
};

struct even_indices {
  using format = index_range;
  using key = no_key;
  using reduce = collect<std::uint64_t>;

  DUOMAP_HD void map(std::uint64_t index, auto& emit) const {
    if (index % 2 == 0) emit(index);
  }
};

/// Fixed-size keys with their own order, which is not that of their bytes.
struct places_by_size {
  using format = lines;
  using key = std::int32_t;
  using reduce = collect<std::uint64_t>;

  [[nodiscard]] static collect<std::uint64_t> reduction() { return {.grouped = true}; }
  DUOMAP_HD void map(const line& l, auto& emit) const {
    emit(static_cast<std::int32_t>(l.text.size % 600) - 300, place_of(l));
  }
};

struct places_by_class {
  using format = lines;
  using key = dense;
  using reduce = collect<std::uint64_t>;

  [[nodiscard]] static std::uint64_t key_count() { return 600; }
  [[nodiscard]] static collect<std::uint64_t> reduction() { return {.grouped = true}; }
  DUOMAP_HD void map(const line& l, auto& emit) const { emit(l.text.size % 600, place_of(l)); }
};

// Top k.

/// The larger score; of equal ones the smaller index.
struct higher {
  [[nodiscard]] DUOMAP_HD bool operator()(const scored<std::int64_t>& a,
                                          const scored<std::int64_t>& b) const {
    return a.score != b.score ? a.score > b.score : a.index < b.index;
  }
};

struct largest_rows {
  using format = rows<std::int64_t>;
  using key = no_key;
  using reduce = top_k<scored<std::int64_t>, higher>;

  std::uint64_t k = 3;

  [[nodiscard]] reduce reduction() const { return {.k = k}; }
  DUOMAP_HD void map(const row<std::int64_t>& r, auto& emit) const { emit({r[0], r.index}); }
};

struct largest_rows_by_class {
  using format = rows<std::int64_t>;
  using key = dense;
  using reduce = top_k<scored<std::int64_t>, higher>;

  std::uint64_t k = 10;

  [[nodiscard]] static std::uint64_t key_count() { return 4; }
  [[nodiscard]] reduce reduction() const { return {.k = k}; }
  DUOMAP_HD void map(const row<std::int64_t>& r, auto& emit) const { emit(r.index % 3, {r[0], r.index}); }
};

// Reductions that do not commute.

/// From the first place to the last.
struct span {
  std::uint64_t first;
  std::uint64_t last;
  friend bool operator==(const span&, const span&) = default;
};

struct join_spans {
  using value_type = span;
  static constexpr bool associative = true;
  static constexpr bool commutative = false;
  [[nodiscard]] DUOMAP_HD span operator()(const span& a, const span& b) const { return {a.first, b.last}; }
};

struct line_spans {
  using format = lines;
  using key = byte_view;
  using reduce = join_spans;

  DUOMAP_HD void map(const line& l, auto& emit) const { emit(l.text, {place_of(l), place_of(l)}); }
};

struct first_places {
  using format = lines;
  using key = std::array<char, 20>;
  using reduce = keep_first<std::uint64_t>;

  DUOMAP_HD void map(const line& l, auto& emit) const {
    emit(head<20>(l.text), place_of(l));
    emit(head<20>(l.text.sub(0, l.text.size / 2)), place_of(l));
  }
};

/// x -> factor * x + offset, modulo 2^64; the reduction is doing one after the other.
struct affine {
  std::uint64_t factor;
  std::uint64_t offset;
  friend bool operator==(const affine&, const affine&) = default;
};

struct compose {
  using value_type = affine;
  static constexpr bool associative = true;
  static constexpr bool commutative = false;
  [[nodiscard]] DUOMAP_HD affine identity() const { return {1, 0}; }
  [[nodiscard]] DUOMAP_HD affine operator()(const affine& a, const affine& b) const {
    return {a.factor * b.factor, a.offset * b.factor + b.offset};
  }
};

/// Depends on the order of all words that start with the same byte.
struct word_chains {
  using format = words;
  using key = byte_view;
  using reduce = compose;

  DUOMAP_HD void map(byte_view word, auto& emit) const {
    emit(word.sub(0, 1), {mix(word) | 1, mix(word)});
    emit(byte_view{}, {3, word.size});
  }
};

/// 2 x 2 matrices modulo 2^64.
struct matrix {
  std::uint64_t a, b, c, d;
  friend bool operator==(const matrix&, const matrix&) = default;
};

struct multiply {
  using value_type = matrix;
  static constexpr bool associative = true;
  static constexpr bool commutative = false;
  [[nodiscard]] DUOMAP_HD matrix identity() const { return {1, 0, 0, 1}; }
  [[nodiscard]] DUOMAP_HD matrix operator()(const matrix& x, const matrix& y) const {
    return {x.a * y.a + x.b * y.c, x.a * y.b + x.b * y.d, x.c * y.a + x.d * y.c, x.c * y.b + x.d * y.d};
  }
};

struct matrix_products {
  using format = rows<std::uint64_t>;
  using key = dense;
  using reduce = multiply;

  [[nodiscard]] static rows<std::uint64_t> records() { return {.width = 4}; }
  [[nodiscard]] static std::uint64_t key_count() { return 3; }
  DUOMAP_HD void map(const row<std::uint64_t>& r, auto& emit) const {
    emit(r[0] % 3, {r[0] + 2, r[1] + 1, r[2] + 1, r[3] + 1});
  }
};

struct matrix_product {
  using format = rows<std::uint64_t>;
  using key = no_key;
  using reduce = multiply;

  [[nodiscard]] static rows<std::uint64_t> records() { return {.width = 4}; }
  DUOMAP_HD void map(const row<std::uint64_t>& r, auto& emit) const {
    emit({r[0] + 2, r[1] + 1, r[2] + 1, r[3] + 1});
  }
};

}  // namespace duomap::test
