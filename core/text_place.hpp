// Lets a reduction keep texts of any length as its values, by their places.
#pragma once

#include "core/byte_view.hpp"
#include "core/config.hpp"

#include <cstdint>

namespace duomap {

/// The place of a text in the input. The bytes of a record are gone when its chunk has been mapped, but its
/// place can be a value: it has the same size on every device. After the run, input_texts
/// (core/input/input_texts.hpp) reads the texts.
struct text_place {
  std::uint64_t size;    ///< in bytes
  std::uint64_t offset;  ///< place of its first byte in its source (decompressed)
  std::uint64_t source;  ///< index of its source in the input
  friend bool operator==(const text_place&, const text_place&) = default;
};

/// Orders places as in the input. Of texts that begin at the same byte, the shortest comes first.
[[nodiscard]] DUOMAP_HD constexpr bool stands_before(const text_place& a, const text_place& b) {
  // Has no branches: if many texts are equally long, a core cannot predict which one comes first.
  return (a.source < b.source) |
         ((a.source == b.source) & ((a.offset < b.offset) | ((a.offset == b.offset) & (a.size < b.size))));
}

/// The place of `part`, which is a part of a record's text: of a line, of fields, or of a fragment of markup.
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

/// Keeps the longest text. Of equally long texts it keeps the first one in the input.
struct longest_text {
  using value_type = text_place;
  static constexpr bool associative = true;
  static constexpr bool commutative = true;
  [[nodiscard]] DUOMAP_HD constexpr text_place operator()(const text_place& a, const text_place& b) const {
    return ((b.size > a.size) | ((b.size == a.size) & stands_before(b, a))) ? b : a;
  }
};

/// Keeps the text that comes first in the input.
struct first_text {
  using value_type = text_place;
  static constexpr bool associative = true;
  static constexpr bool commutative = true;
  [[nodiscard]] DUOMAP_HD constexpr text_place operator()(const text_place& a, const text_place& b) const {
    return stands_before(b, a) ? b : a;
  }
};

/// A score, and the place of the text that has it.
template <class Score>
struct scored_text {
  Score score;
  text_place text;
  friend bool operator==(const scored_text&, const scored_text&) = default;
};

/// Keeps the text of the smallest score. Of equal scores, or if all are NaN, it keeps the first text.
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

/// Keeps the text of the largest score. Of equal scores, or if all are NaN, it keeps the first text.
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
