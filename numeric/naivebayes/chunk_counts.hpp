// Counts the categories of a chunk by class before they are emitted, with one emit for each different
// category.
// host only
#pragma once

#include "core/byte_view.hpp"
#include "core/chunk.hpp"
#include "core/hash.hpp"
#include "core/text/find_byte.hpp"
#include "cpu/scan/field_ends.hpp"
#include "numeric/naivebayes/category_row.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

namespace duomap {

/// Counts (class, column, field) over the rows of a chunk. It compares the raw bytes of fields, with blanks
/// and quotes, and decodes each different field once. A plain row has a label and a field for each other
/// column. Other rows (blank, ragged, very long, or with a delimiter in quotes) are left to the caller's full
/// parser. For one chunk and one thread.
class chunk_counts {
 public:
  explicit chunk_counts(const category_columns& columns)
    : columns_(columns), find_ends_(cpu::active_find_field_ends()) {
    for (std::uint32_t i = 0; i < columns.roles.size; ++i) {
      if (columns.roles[i] == column_role::attribute) attributes_.push_back(i);
      if (columns.roles[i] == column_role::left_out) left_out_.push_back(i);
    }
    const std::uint64_t row = attributes_.size() + 1;
    slots_.resize(std::bit_ceil(std::max(fewest_slots, 4 * row)));
    shift_ = 64 - static_cast<unsigned>(std::countr_zero(slots_.size()));
    most_used_ = slots_.size() / 2 - row;
    used_.reserve(slots_.size() / 2);
    found_.resize(row);
    ends_ = std::make_unique<cpu::field_ends>();
  }

  /// Calls use(column, class, field, count) for each (class, column, field), perhaps more than once; for the
  /// label's own column, field is the class. Calls other(line) for each line that was not counted.
  template <class Use, class Other>
  void count(const chunk& part, const Use& use, const Other& other) {
    const std::uint64_t columns = columns_.roles.size;
    std::uint64_t begin = 0;
    if (columns_.has_header && part.offset == 0) begin = std::min(line_end(part, 0) + 1, part.size);
    while (begin < part.size) {
      const char* const tile = part.data + begin;
      find_ends_(
          tile, static_cast<std::uint32_t>(std::min<std::uint64_t>(cpu::field_tile_bytes, part.size - begin)),
          columns_.delimiter, *ends_);
      if (ends_->rows == 0) {
        // The line is longer than a tile, or it is the last one and has no newline.
        const std::uint64_t end = line_end(part, begin);
        other(byte_view{tile, end - begin});
        begin = end + 1;
        continue;
      }
      std::uint32_t first = 0;  // index of the row's first end
      std::uint32_t start = 0;  // where the row begins
      for (std::uint32_t row = 0; row < ends_->rows; ++row) {
        const std::uint32_t last = ends_->row_ends[row];
        const std::uint32_t end = ends_->at[last];
        if (used_.size() > most_used_) flush(use);
        if (last - first + 1 != columns || !count_row(tile, start, ends_->at + first))
          other(byte_view{tile + start, end - start});
        first = last + 1;
        start = end + 1;
      }
      begin += start;
    }
    flush(use);
  }

 private:
  static constexpr std::uint64_t fewest_slots = torture ? 8 : 4096;
  static constexpr std::uint64_t short_bytes = 16;
  static constexpr std::uint64_t most_plain_bytes = category_columns::most_bytes / 2;
  static constexpr std::uint64_t no_class = (std::uint64_t{1} << 24) - 1;

  /// Fields of up to 16 bytes are in `low` and `high`. For longer fields, `low` is the hash and `high` the
  /// address.
  struct slot {
    std::uint64_t low = 0;
    std::uint64_t high = 0;
    std::uint64_t tag = 0;  ///< column + 1, slot of the class, bytes of the field; 0: free
    std::uint64_t count = 0;
  };

  [[nodiscard]] static std::uint64_t tag_of(std::uint64_t column, std::uint64_t of_class) {
    return (column + 1) | of_class << 16;
  }

  [[nodiscard]] static std::uint64_t line_end(const chunk& part, std::uint64_t from) {
    return find_byte(part.bytes(), '\n', from);
  }

  /// Counts a row. Returns false, and counts nothing, when quotes of a field show that the row is not plain,
  /// or when a field finds no slot.
  [[nodiscard]] bool count_row(const char* tile, std::uint32_t start, const std::uint16_t* ends) {
    const auto field = [&](std::uint32_t column) {
      const std::uint32_t from = column == 0 ? start : ends[column - 1] + 1u;
      std::uint32_t size = ends[column] - from;
      if (column + 1 == columns_.roles.size && size > 0 && tile[from + size - 1] == '\r') --size;
      return byte_view{tile + from, size};
    };
    for (const std::uint32_t column : left_out_) {
      if (!is_plain(field(column))) return false;
    }
    slot* const of_class = find(field(columns_.label), tag_of(columns_.label, no_class));
    if (of_class == nullptr) return false;
    const auto class_number = static_cast<std::uint64_t>(of_class - slots_.data());
    slot** found = found_.data();
    for (const std::uint32_t column : attributes_) {
      slot* const one = find(field(column), tag_of(column, class_number));
      if (one == nullptr) return false;
      *found++ = one;
    }
    ++of_class->count;
    for (slot** one = found_.data(); one != found; ++one) ++(*one)->count;
    return true;
  }

  /// Whether all quotes of the field close within the field.
  [[nodiscard]] bool is_plain(byte_view field) const {
    category_field whole;
    return std::memchr(field.data, '"', field.size) == nullptr ||
           category_fields(field, columns_.delimiter).next(whole);
  }

  /// Finds the slot of a field. `tag` still lacks the field's size.
  [[nodiscard]] slot* find(byte_view field, std::uint64_t tag) {
    tag |= field.size << 40;
    if (field.size > short_bytes) return find_long(field, tag);
    // Reads whole words, because readable bytes follow a chunk.
    const mask& keep = kept_bytes[field.size];
    const std::uint64_t low = detail::load_word(field.data) & keep.low;
    const std::uint64_t high = detail::load_word(field.data + 8) & keep.high;
    slot* const home = &slots_[home_of(low, high, tag)];
    if (((home->low ^ low) | (home->high ^ high) | (home->tag ^ tag)) == 0) [[likely]]
      return home;
    return find_displaced(field, {low, high, tag, 0}, home);
  }

  /// Multiplies three times independently. hash_block(), which waits for each product, takes twice as long.
  [[nodiscard]] std::uint64_t home_of(std::uint64_t low, std::uint64_t high, std::uint64_t tag) const {
    return torture_hash ? 0
                        : (low * detail::hash_k0 + high * detail::hash_k1 + tag * detail::hash_k2) >> shift_;
  }

  [[nodiscard, gnu::noinline]] slot* find_long(byte_view field, std::uint64_t tag) {
    const std::uint64_t low = hash_long(field);
    return find_displaced(field, {low, reinterpret_cast<std::uintptr_t>(field.data), tag, 0},
                          &slots_[home_of(low, 0, tag)]);
  }

  [[nodiscard, gnu::noinline]] slot* find_displaced(byte_view field, const slot& wanted, slot* at) {
    for (unsigned way = 0; at->tag != 0; ++way) {
      if (way == max_probe_length) return nullptr;
      if (at->tag == wanted.tag && at->low == wanted.low &&
          (at->high == wanted.high ||
           (field.size > short_bytes &&
            std::memcmp(reinterpret_cast<const char*>(at->high), field.data, field.size) == 0)))
        return at;
      if (++at == slots_.data() + slots_.size()) at = slots_.data();
    }
    return insert(*at, wanted, field);
  }

  /// Fills the slot `into`. Returns null, and fills nothing, for a field whose quotes reach beyond it, for a
  /// long field, and for a missing label, because such a row may be a blank line.
  [[nodiscard]] slot* insert(slot& into, const slot& made, byte_view field) {
    category_field whole;
    if (field.size > most_plain_bytes || !category_fields(field, columns_.delimiter).next(whole))
      return nullptr;
    if ((made.tag >> 16 & no_class) == no_class && whole.is_missing()) return nullptr;
    into = made;
    used_.push_back(static_cast<std::uint32_t>(&into - slots_.data()));
    return &into;
  }

  [[nodiscard]] static byte_view text_of(const slot& of) {
    const std::uint64_t bytes = of.tag >> 40;
    return {bytes > short_bytes ? reinterpret_cast<const char*>(of.high) : reinterpret_cast<const char*>(&of),
            bytes};
  }

  template <class Use>
  void flush(const Use& use) {
    for (const std::uint32_t i : used_) {
      const slot& one = slots_[i];
      const std::uint64_t of_class = one.tag >> 16 & no_class;
      const byte_view field = text_of(one);
      if (one.count > 0) {
        use(static_cast<std::uint32_t>(one.tag & 0xFFFF) - 1,
            of_class == no_class ? field : text_of(slots_[of_class]), field, one.count);
      }
    }
    for (const std::uint32_t i : used_) slots_[i] = {};
    used_.clear();
  }

  struct mask {
    std::uint64_t low, high;
  };
  /// Masks that keep the first n of 16 bytes.
  static constexpr auto kept_bytes = [] {
    std::array<mask, short_bytes + 1> masks{};
    for (unsigned n = 0; n <= short_bytes; ++n) {
      masks[n].low = n >= 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * n)) - 1;
      masks[n].high = n >= 16 ? ~std::uint64_t{0} : n > 8 ? (std::uint64_t{1} << (8 * (n - 8))) - 1 : 0;
    }
    return masks;
  }();

  category_columns columns_;
  cpu::find_field_ends_function find_ends_;
  std::vector<std::uint32_t> attributes_;
  std::vector<std::uint32_t> left_out_;
  std::vector<slot> slots_;
  std::vector<std::uint32_t> used_;
  std::vector<slot*> found_;  // slots of the current row's fields
  std::unique_ptr<cpu::field_ends> ends_;
  std::uint64_t most_used_ = 0;
  unsigned shift_ = 0;
};

}  // namespace duomap
