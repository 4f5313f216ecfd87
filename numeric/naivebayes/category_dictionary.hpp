// Gives categories numbers: (column, text) -> 0, 1, 2 ..., which every device can look up.
#pragma once

#include "core/byte_view.hpp"
#include "core/config.hpp"
#include "core/hash.hpp"
#include "core/task.hpp"
#include "core/text/compare.hpp"
#include "core/text/load.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace duomap {

/// A view of a category_list that looks categories up.
struct category_dictionary {
  /// A slot of an open-addressing table; text_begin counts from the start of `texts`.
  struct slot {
    std::uint64_t hash;
    std::uint32_t text_begin;
    std::uint32_t text_bytes;
    std::uint32_t column;
    std::uint32_t number;  ///< none: the slot is free
  };
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  broadcast<slot> slots;  ///< a power of two of them, at least one free
  broadcast<char> texts;

  DUOMAP_HD void visit_broadcast(auto&& visit) {
    visit(slots);
    visit(texts);
  }

  [[nodiscard]] DUOMAP_HD static std::uint64_t hash_of(std::uint32_t column, byte_view text) {
    std::uint64_t h = (text.size << 32 | column) * detail::hash_k1;
    std::uint64_t i = 0;
    for (; i + 8 <= text.size; i += 8) {
      h = (h ^ load_eight(text.data + i)) * detail::hash_k0;
      h ^= h >> 29;
    }
    return hash_block(h, load_some(text.data + i, static_cast<unsigned>(text.size - i)));
  }

  /// The number of a category, or `none`.
  [[nodiscard]] DUOMAP_HD std::uint32_t find(std::uint32_t column, byte_view text) const {
    const std::uint64_t hash = hash_of(column, text);
    for (std::uint64_t i = hash & (slots.size - 1);; i = (i + 1) & (slots.size - 1)) {
      const slot& here = slots[i];
      if (here.number == none) return none;
      if (here.hash == hash && here.column == column && here.text_bytes == text.size &&
          equal_bytes(texts.data + here.text_begin, text.data, text.size))
        return here.number;
    }
  }
};

/// Owns categories, and numbers them in the order of their arrival.
class category_list {
 public:
  category_list();

  /// Returns the number of a category, and adds the category if it is new.
  std::uint32_t add(std::uint32_t column, byte_view text);

  [[nodiscard]] std::uint32_t size() const noexcept { return static_cast<std::uint32_t>(entries_.size()); }
  [[nodiscard]] std::uint32_t column(std::uint32_t number) const { return entries_[number].column; }
  [[nodiscard]] byte_view text(std::uint32_t number) const {
    return {texts_.data() + entries_[number].text_begin, entries_[number].text_bytes};
  }

  /// A view that is valid until a category is added, and as long as the list lives.
  [[nodiscard]] category_dictionary view() const;

 private:
  void place(const category_dictionary::slot& entry);

  std::vector<category_dictionary::slot> entries_;  // by number
  std::vector<category_dictionary::slot> slots_;
  std::string texts_;
};

}  // namespace duomap
