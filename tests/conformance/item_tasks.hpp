// Declares tasks that emit items (small changes of a value), for each kind of key and reduction.
#pragma once

#include "core/record/rows.hpp"
#include "core/record/words.hpp"
#include "core/task.hpp"
#include "tests/conformance/backend_contract.hpp"
#include "tests/conformance/task_pieces.hpp"

#include <array>
#include <concepts>
#include <cstdint>
#include <type_traits>

namespace duomap::test {

/// Counts items by remainder, and keeps the largest. An item changes only two of the 17 numbers.
struct counted_items {
  std::array<std::uint32_t, 16> counts;
  std::uint32_t largest;
  friend bool operator==(const counted_items&, const counted_items&) = default;
};

struct add_to_counts {
  using value_type = counted_items;
  using item_type = std::uint32_t;
  static constexpr bool associative = true;
  static constexpr bool commutative = true;
  std::uint32_t least = 1;  // identity() depends on this setting
  [[nodiscard]] DUOMAP_HD counted_items identity() const { return {{}, least}; }
  [[nodiscard]] DUOMAP_HD counted_items operator()(const counted_items& a, const counted_items& b) const {
    counted_items all = a;
    for (std::uint32_t i = 0; i < all.counts.size(); ++i) all.counts[i] += b.counts[i];
    if (all.largest < b.largest) all.largest = b.largest;
    return all;
  }
  DUOMAP_HD void add(counted_items& into, const std::uint32_t& item) const {
    ++into.counts[item % into.counts.size()];
    if (into.largest < item) into.largest = item;
  }
};

/// Sums of squares. An item has the type of a value, but must be squared first.
struct add_squares {
  using value_type = std::uint64_t;
  using item_type = std::uint64_t;
  static constexpr bool associative = true;
  static constexpr bool commutative = true;
  [[nodiscard]] DUOMAP_HD std::uint64_t identity() const { return 0; }
  [[nodiscard]] DUOMAP_HD std::uint64_t operator()(std::uint64_t a, std::uint64_t b) const { return a + b; }
  DUOMAP_HD static void add(std::uint64_t& into, std::uint64_t item) { into += item * item; }
};

/// x -> factor * x + offset.
struct linear {
  std::uint64_t factor;
  std::uint64_t offset;
  friend bool operator==(const linear&, const linear&) = default;
};

/// The order of the items changes the value.
struct then_item {
  using value_type = linear;
  using item_type = std::uint32_t;
  static constexpr bool associative = true;
  static constexpr bool commutative = false;
  [[nodiscard]] DUOMAP_HD linear identity() const { return {1, 0}; }
  [[nodiscard]] DUOMAP_HD linear operator()(const linear& a, const linear& b) const {
    return {a.factor * b.factor, b.factor * a.offset + b.offset};
  }
  DUOMAP_HD void add(linear& into, const std::uint32_t& item) const {
    into = {into.factor * (2 * item + 1), (2 * item + 1) * into.offset + item};
  }
};

/// Emits an item with a word, its first bytes, its size, or no key.
template <class Key, class Reduce>
struct items_of_words {
  using format = words;
  using key = Key;
  using reduce = Reduce;
  static constexpr std::uint64_t max_emits_per_record = std::same_as<Key, byte_view> ? 1 : 0;
  static constexpr bool keys_within_record = true;

  DUOMAP_HD static constexpr std::uint64_t key_count() { return 40; }
  DUOMAP_HD void map(byte_view word, auto& emit) const {
    const auto item = static_cast<typename Reduce::item_type>(mix(word) % 5000);
    if constexpr (std::same_as<Key, byte_view>) {
      emit(word, item);
    } else if constexpr (std::same_as<Key, dense>) {
      emit(word.size % key_count(), item);
    } else if constexpr (std::same_as<Key, no_key>) {
      emit(item);
    } else {
      emit(head<2>(word), item);
      emit(Key{}, item + 1);
    }
  }
};

/// Emits numbers as items; the keys are numbers too.
template <class Key, class Reduce>
struct items_of_numbers {
  using format = rows<std::uint32_t>;
  using key = Key;
  using reduce = Reduce;
  static constexpr std::uint64_t max_emits_per_record = 1;

  std::uint64_t keys = 100;

  [[nodiscard]] static format records() { return {.width = 1}; }
  [[nodiscard]] std::uint64_t key_count() const { return keys; }
  DUOMAP_HD void map(const row<std::uint32_t>& number, auto& emit) const {
    const auto item = static_cast<typename Reduce::item_type>(number[0] % 5000);
    if constexpr (std::same_as<Key, no_key>) {
      emit(item);
    } else {
      emit(static_cast<std::conditional_t<std::same_as<Key, dense>, std::uint64_t, Key>>(number[0] % keys),
           item);
    }
  }
};

/// Some slots take items, another takes values.
struct item_slots {
  using format = rows<std::uint32_t>;
  using key = no_key;
  using reduce = slots<add_to_counts, maximum<std::uint32_t>, add_squares>;

  [[nodiscard]] static format records() { return {.width = 1}; }
  [[nodiscard]] static reduce reduction() { return {{add_to_counts{7}, {}, {}}}; }
  DUOMAP_HD void map(const row<std::uint32_t>& number, auto& emit) const {
    if (number[0] % 3 == 0) emit(slot<0>, number[0]);
    emit(slot<1>, number[0]);
    emit(slot<2>, number[0] % 5000);
  }
};

/// Items with hashed keys.
template <class Make>
void check_items_of_hashed_keys(const Make& make) {
  auto random = seeded();
  const auto texts = boundary_texts(random);
  check_answers(items_of_words<byte_view, add_to_counts>{}, texts, make);
  check_answers(items_of_words<std::array<char, 2>, add_squares>{}, texts, make);
  check_answers(items_of_numbers<std::uint32_t, add_squares>{}, boundary_rows<std::uint32_t>(random, 1),
                make);
}

/// Items with dense keys.
template <class Make>
void check_items_of_dense_keys(const Make& make) {
  auto random = seeded();
  const auto numbers = boundary_rows<std::uint32_t>(random, 1);
  check_answers(items_of_numbers<dense, add_to_counts>{}, numbers, make);
  check_answers(items_of_numbers<dense, add_squares>{.keys = 5000}, numbers, make);
  check_answers(items_of_words<dense, add_to_counts>{}, boundary_texts(random), make);
}

/// Items without a key, and in slots.
template <class Make>
void check_items_without_keys(const Make& make) {
  auto random = seeded();
  const auto numbers = boundary_rows<std::uint32_t>(random, 1);
  check_answers(items_of_numbers<no_key, add_to_counts>{}, numbers, make);
  check_answers(items_of_words<no_key, add_squares>{}, boundary_texts(random), make);
  check_answers(item_slots{}, numbers, make);
}

/// Items whose order matters.
template <class Make>
void check_items_in_order(const Make& make) {
  auto random = seeded();
  const auto texts = boundary_texts(random);
  check_answers(items_of_words<byte_view, then_item>{}, texts, make);
  check_answers(items_of_words<dense, then_item>{}, texts, make);
  check_answers(items_of_numbers<no_key, then_item>{}, boundary_rows<std::uint32_t>(random, 1), make);
}

}  // namespace duomap::test
