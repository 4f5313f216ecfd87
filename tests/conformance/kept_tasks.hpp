// Declares small tasks that keep several values of a key, or whose reductions do not commute.
#pragma once

#include "core/record/index_range.hpp"
#include "core/record/lines.hpp"
#include "core/record/rows.hpp"
#include "core/record/words.hpp"
#include "core/task.hpp"
#include "tests/conformance/task_pieces.hpp"

#include <array>
#include <cstdint>

namespace duomap::test {

// Tasks that collect all values.

/// Keys and values are bytes of any length.
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

/// Keys of fixed size whose order is not that of their bytes.
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

// Tasks that keep the best values (top k).

/// The larger score is better; of equal scores, the smaller index.
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

/// A range of places in the input, from `first` to `last`.
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

/// The function x -> factor * x + offset, modulo 2^64. The reduction composes two of them.
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

/// The value depends on the order of all words with the same first byte.
struct word_chains {
  using format = words;
  using key = byte_view;
  using reduce = compose;

  DUOMAP_HD void map(byte_view word, auto& emit) const {
    emit(word.sub(0, 1), {mix(word) | 1, mix(word)});
    emit(byte_view{}, {3, word.size});
  }
};

/// A 2 x 2 matrix modulo 2^64.
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
