// Lets texts of any length be values: a reduction keeps the place of a text.
#pragma once

#include "core/byte_view.hpp"
#include "core/config.hpp"

#include <cstdint>

namespace duomap {

/// The place of a text in the input. A record's bytes are gone when its chunk is mapped; its place has a
/// fixed size, on every device. input_texts (core/input/input_texts.hpp) reads the texts when the result is
/// there.
struct text_place {
  std::uint64_t size;    ///< in bytes
  std::uint64_t offset;  ///< of its first byte in its source (decompressed)
  std::uint64_t source;  ///< index of its source in the input
  friend bool operator==(const text_place&, const text_place&) = default;
};

/// The order of the input; texts that begin at the same byte are ordered by size, the shortest first.
[[nodiscard]] DUOMAP_HD constexpr bool stands_before(const text_place& a, const text_place& b) {
  // The comparison has no branches, because a core cannot predict which of many equally long texts comes
  // first.
  return (a.source < b.source) |
         ((a.source == b.source) & ((a.offset < b.offset) | ((a.offset == b.offset) & (a.size < b.size))));
}

/// The place of `part`, which lies in the text of a record: a line, fields, or a fragment of markup.
template <class Record>
[[nodiscard]] DUOMAP_HD constexpr text_place place_of(const Record& record, byte_view part) {
  if constexpr (requires { record.whole(); }) {
    return place_of(record.whole(), part);
  } else {
    return {part.size, record.offset + static_cast<std::uint64_t>(part.data - record.text.data),
            record.source};
  }
}

/// The place of a record's whole text.
template <class Record>
[[nodiscard]] DUOMAP_HD constexpr text_place place_of(const Record& record) {
  if constexpr (requires { record.whole(); }) {
    return place_of(record.whole());
  } else {
    return place_of(record, record.text);
  }
}

/// The longest text; of equally long texts the one that stands first.
struct longest_text {
  using value_type = text_place;
  static constexpr bool associative = true;
  static constexpr bool commutative = true;
  [[nodiscard]] DUOMAP_HD constexpr text_place operator()(const text_place& a, const text_place& b) const {
    return ((b.size > a.size) | ((b.size == a.size) & stands_before(b, a))) ? b : a;
  }
};

/// The text that stands first in the input.
struct first_text {
  using value_type = text_place;
  static constexpr bool associative = true;
  static constexpr bool commutative = true;
  [[nodiscard]] DUOMAP_HD constexpr text_place operator()(const text_place& a, const text_place& b) const {
    return stands_before(b, a) ? b : a;
  }
};

/// A score with the text that has it.
template <class Score>
struct scored_text {
  Score score;
  text_place text;
  friend bool operator==(const scored_text&, const scored_text&) = default;
};

/// The text of the smallest score; of equal scores, and where all are NaN, the one that stands first.
template <class Score>
struct argmin_text {
  using value_type = scored_text<Score>;
  static constexpr bool associative = true;
  static constexpr bool commutative = true;
  [[nodiscard]] DUOMAP_HD constexpr value_type operator()(const value_type& a, const value_type& b) const {
    if (a.score < b.score || (b.score != b.score && a.score == a.score)) return a;
    const bool is_first = b.score < a.score || (a.score != a.score && b.score == b.score);
    return is_first || stands_before(b.text, a.text) ? b : a;
  }
};

/// The text of the largest score; of equal scores, and where all are NaN, the one that stands first.
template <class Score>
struct argmax_text {
  using value_type = scored_text<Score>;
  static constexpr bool associative = true;
  static constexpr bool commutative = true;
  [[nodiscard]] DUOMAP_HD constexpr value_type operator()(const value_type& a, const value_type& b) const {
    if (b.score < a.score || (b.score != b.score && a.score == a.score)) return a;
    const bool is_first = a.score < b.score || (a.score != a.score && b.score == b.score);
    return is_first || stands_before(b.text, a.text) ? b : a;
  }
};

}  // namespace duomap
