// Declares the tasks of merge_fuzz.cpp: places of texts in keys and in every kind of value, and values that
// are used as indices.
#pragma once

#include "apps/cli/part_of_run.hpp"
#include "core/deterministic.hpp"
#include "core/partial/stored/stored_check.hpp"
#include "core/record/lines.hpp"
#include "core/reduce_fields.hpp"
#include "core/task.hpp"
#include "core/text_place.hpp"
#include "duomap.hpp"

#include <array>
#include <cstdint>
#include <string>

namespace duomap::test {

/// Tasks skip such lines, which only make the input larger.
[[nodiscard]] inline bool is_padding(const line& l) { return l.text.size > 1000; }

[[nodiscard]] inline byte_view head_of(const line& l) { return l.text.sub(0, l.text.size > 0 ? 1 : 0); }

/// A value that stores places of texts in every form a value can.
struct line_note {
  std::array<text_place, 2> halves;
  std::array<bool, 2> odd;
  std::array<char, 3> head;
};
struct line_halves {
  text_place first, second;
  bool odd;
};
[[nodiscard]] inline line_note note_of(const line& l) {
  const std::uint64_t half = l.text.size / 2;
  return {{place_of(l, l.text.sub(0, half)), place_of(l, l.text.sub(half, l.text.size - half))},
          {l.text.size % 2 != 0, half % 2 != 0},
          {}};
}

/// Hashed keys, with places as values.
struct longest_lines {
  using format = lines;
  using key = byte_view;
  using reduce = longest_text;
  DUOMAP_HD void map(const line& l, auto& emit) const {
    if (!is_padding(l)) emit(head_of(l), place_of(l));
  }
};

/// Collected values in the order of the input.
struct notes_of_lines {
  using format = lines;
  using key = dense;
  using reduce = collect<line_halves>;
  [[nodiscard]] static std::uint64_t key_count() { return 5; }
  DUOMAP_HD void map(const line& l, auto& emit) const {
    if (is_padding(l)) return;
    const line_note note = note_of(l);
    emit(l.text.size % 5, line_halves{note.halves[0], note.halves[1], note.odd[0]});
  }
};

/// The best values of each dense key.
struct best_lines {
  struct better {
    [[nodiscard]] DUOMAP_HD bool operator()(const scored_text<float>& a, const scored_text<float>& b) const {
      return a.score > b.score || (a.score == b.score && stands_before(a.text, b.text));
    }
  };
  using format = lines;
  using key = dense;
  using reduce = top_k<scored_text<float>, better>;
  [[nodiscard]] static std::uint64_t key_count() { return 3; }
  [[nodiscard]] static reduce reduction() { return {.k = 3}; }
  DUOMAP_HD void map(const line& l, auto& emit) const {
    if (is_padding(l)) return;
    emit(l.text.size % 3, scored_text<float>{static_cast<float>(l.text.size), place_of(l)});
  }
};

/// Hashed keys; the first value in the order of the input stays.
struct first_lines {
  using format = lines;
  using key = std::array<char, 2>;
  using reduce = keep_first<line_note>;
  DUOMAP_HD void map(const line& l, auto& emit) const {
    if (!is_padding(l)) emit(key{l.text.size > 0 ? l.text[0] : '-', 'x'}, note_of(l));
  }
  [[nodiscard]] line_halves finish(const key& /*head*/, const line_note& note) const {
    return {note.halves[0], note.halves[1], note.odd[0]};
  }
};

/// Dense keys; the first value stays, and finish() uses it as an index.
struct first_sizes {
  using format = lines;
  using key = dense;
  using reduce = keep_first<std::uint32_t>;
  static constexpr std::array<std::uint32_t, 4> squares = {0, 1, 4, 9};
  [[nodiscard]] static std::uint64_t key_count() { return 4; }
  DUOMAP_HD void map(const line& l, auto& emit) const {
    emit(l.text.size % 4, static_cast<std::uint32_t>(l.text.size % squares.size()));
  }
  [[nodiscard]] std::uint32_t finish(std::uint64_t at, std::uint32_t size) const {
    return squares[at] + squares[size];
  }
  void check_stored(std::uint64_t /*key*/, std::uint32_t size, const stored_check& check) const {
    check.index("a size", size, squares.size());
  }
};

/// Collected bytes of any length, grouped by key.
struct texts_of_heads {
  using format = lines;
  using key = byte_view;
  using reduce = collect<byte_view>;
  [[nodiscard]] static reduce reduction() { return {.grouped = true}; }
  DUOMAP_HD void map(const line& l, auto& emit) const {
    if (!is_padding(l)) emit(head_of(l), l.text);
  }
};

/// Reproducible sums of fields.
struct line_sums {
  struct sums {
    double size;
    std::int64_t lines;
    float halves;
  };
  using format = lines;
  using key = bool;
  using reduce = sum_fields<&sums::size, &sums::lines, &sums::halves>;
  DUOMAP_HD void map(const line& l, auto& emit) const {
    const auto size = static_cast<double>(l.text.size);
    emit(l.text.size % 2 != 0, sums{size, 1, static_cast<float>(size / 2)});
  }
};

/// Truth values with dense keys.
struct long_lines {
  struct either {
    using value_type = bool;
    static constexpr bool associative = true;
    static constexpr bool commutative = true;
    [[nodiscard]] DUOMAP_HD bool operator()(bool a, bool b) const { return a || b; }
  };
  using format = lines;
  using key = dense;
  using reduce = either;
  [[nodiscard]] static std::uint64_t key_count() { return 10'000; }
  DUOMAP_HD void map(const line& l, auto& emit) const { emit(l.text.size % 10'000, l.text.size > 9); }
};

/// The keys are places of texts.
struct lines_by_place {
  using format = lines;
  using key = text_place;
  using reduce = sum<std::int64_t>;
  DUOMAP_HD void map(const line& l, auto& emit) const {
    if (!is_padding(l)) emit(place_of(l), 1);
  }
};

/// Slots, so the result has no rows.
struct line_extremes {
  using format = lines;
  using key = no_key;
  using reduce = slots<longest_text, sum<std::int64_t>, argmax<float>>;
  DUOMAP_HD void map(const line& l, auto& emit) const {
    if (is_padding(l)) return;
    emit(slot<0>, place_of(l));
    emit(slot<1>, 1);
    emit(slot<2>, {static_cast<float>(l.text.size), l.offset});
  }
};

inline run_report run_line_extremes(apps::run_context& context) {
  const input from = apps::input_of(context.options);
  sequential pool;
  run_report report;
  const auto found =
      apps::run_selected_stage(line_extremes{}, from, pool, context, report, {"line_extremes"});
  if (!found.result) return report;
  table_writer table(context.sink, context.options.format, {"text", "lines", "size"});
  const auto text = found.result->get<0>();
  const auto best = found.result->get<2>();
  const std::string* const longest = text ? found.texts.find(*text) : nullptr;
  table.row({longest == nullptr ? byte_view() : byte_view(*longest), found.result->get<1>().value_or(0),
             best ? static_cast<double>(best->score) : 0.0});
  return report;
}

}  // namespace duomap::test
