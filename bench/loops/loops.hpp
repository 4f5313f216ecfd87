// The loops that a user would write in place of the measured tasks, on one thread with the standard library.
// host only
#pragma once

#include "bench/harness/answer_digest.hpp"
#include "bench/unseen/number_tasks.hpp"
#include "bench/unseen/tasks.hpp"
#include "core/byte_view.hpp"

#include <array>
#include <concepts>
#include <cstdint>

namespace duomap::apps::loops {

/// The length of a word and its first 28 bytes.
struct long_word {
  std::uint32_t size;
  std::array<char, 28> text;
};

struct longer {
  DUOMAP_HD bool operator()(const long_word& a, const long_word& b) const {
    if (a.size != b.size) return a.size > b.size;
    for (std::uint32_t i = 0; i < a.text.size(); ++i) {
      if (a.text[i] != b.text[i]) return a.text[i] < b.text[i];
    }
    return false;
  }
};

[[nodiscard]] DUOMAP_HD inline long_word as_long_word(byte_view word) {
  long_word one{static_cast<std::uint32_t>(word.size), {}};
  for (std::uint64_t i = 0; i < word.size && i < one.text.size(); ++i) one.text[i] = word[i];
  return one;
}

/// Finds the 100 longest words; words of equal length rank in the order of their bytes.
struct longest_words {
  using format = words;
  using key = no_key;
  using reduce = top_k<long_word, longer>;

  [[nodiscard]] static reduce reduction() { return {.k = 100}; }
  DUOMAP_HD void map(byte_view word, auto& emit) const { emit(as_long_word(word)); }
};

/// The cell of unseen::quantiles' sketch that counts a number.
[[nodiscard]] DUOMAP_HD inline std::uint32_t cell_of(std::uint32_t number) {
  std::uint32_t level = 0;
  while (level < 31 && number >> (31 - level) == 0) ++level;
  return 2 * level + (number >> (level < 30 ? 30 - level : 0) & 1);
}

/// Merges sketches as unseen::add_sketches does. The task emits only a cell, and add() increments its count.
struct count_in_sketch : unseen::add_sketches {
  using item_type = std::uint32_t;
  [[nodiscard]] DUOMAP_HD unseen::sketch identity() const { return {}; }
  DUOMAP_HD void add(unseen::sketch& into, std::uint32_t cell) const { ++into.counts[cell]; }
};

/// Makes the same sketch as unseen::quantiles, from items: each number increments one cell.
struct quantile_items {
  using format = rows<std::uint32_t>;
  using key = no_key;
  using reduce = count_in_sketch;

  DUOMAP_HD void map(const row<std::uint32_t>& number, auto& emit) const { emit(cell_of(number[0])); }
};

/// Makes the same sketch as unseen::quantiles, with a dense key for each cell.
struct quantile_cells {
  using format = rows<std::uint32_t>;
  using key = dense;
  using reduce = sum<std::uint32_t>;

  [[nodiscard]] DUOMAP_HD static constexpr std::uint64_t key_count() { return 64; }
  DUOMAP_HD void map(const row<std::uint32_t>& number, auto& emit) const { emit(cell_of(number[0]), 1); }
};

/// Adds a row of a result to a digest: its key and its value as bytes.
template <class Key, class Value>
void add_row(answer_digest& answer, const Key& key, const Value& value) {
  answer_digest one;
  one.add(reinterpret_cast<const char*>(&value), sizeof value, 0);
  if constexpr (std::same_as<Key, byte_view>) {
    answer.add(key.data, key.size, one.sum);
  } else {
    answer.add(reinterpret_cast<const char*>(&key), sizeof key, one.sum);
  }
}

// Each loop reads the same bytes as the task with its name and gives the digest of the same rows.
[[nodiscard]] answer_digest histogram_loop(byte_view bytes);
[[nodiscard]] answer_digest sensors_loop(byte_view text);
[[nodiscard]] answer_digest bigrams_loop(byte_view text);
[[nodiscard]] answer_digest longest_words_loop(byte_view text);
[[nodiscard]] answer_digest quantiles_loop(byte_view bytes);
[[nodiscard]] answer_digest quantile_cells_loop(byte_view bytes);
[[nodiscard]] answer_digest in_order_loop(byte_view text);
[[nodiscard]] answer_digest gradient_loop(byte_view bytes);
[[nodiscard]] answer_digest monte_carlo_loop(std::uint64_t points);

}  // namespace duomap::apps::loops
