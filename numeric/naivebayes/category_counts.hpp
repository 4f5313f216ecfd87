// Declares the task of naive Bayes' training, which counts how often each category occurs in each class.
#pragma once

#include "core/config.hpp"
#include "core/record/lines.hpp"
#include "core/task.hpp"
#include "core/text/find_byte.hpp"
#include "gpu/make_backend.hpp"
#include "numeric/naivebayes/category_dictionary.hpp"
#include "numeric/naivebayes/category_row.hpp"

#include <cstdint>
#include <cstring>

namespace duomap {

/// The task: (class, column, category) -> rows, summed (Chen & Agrawal, HPDC 2012, section 5). The counts
/// under the label's own column are the rows of each class.
///
/// A key is bytes. If the dictionary has both class and category, the key is their two numbers; otherwise the
/// key spells out the texts. So the dictionary decides about speed only, and a category may have two keys.
/// Lines that are not counted have two keys of their own: one for malformed lines, one for rows without a
/// label.
struct category_counts {
  using format = lines;
  using key = byte_view;
  using reduce = sum<std::uint64_t>;

  category_columns columns;
  category_dictionary known;  ///< at most most_known categories

  static constexpr std::uint32_t most_known = 4096;

  /// The content of a key, decoded.
  struct meaning {
    enum { counted, malformed, unlabelled } kind;
    std::uint32_t column;
    byte_view of_class;
    byte_view category;
  };

  DUOMAP_HD void visit_broadcast(auto&& visit) {
    visit(columns.roles);
    known.visit_broadcast(visit);
  }

  DUOMAP_HD void map(const line& record, auto& emit) const {
    const byte_view row = without_return(record.text);
    if (!columns.is_row(row, record.offset)) return;
    category_field label;
    if (!columns.fits(row, label)) {
      emit(byte_view{row.data, 0}, 1);  // an empty key: a malformed line
      return;
    }
    const std::uint32_t of_class = number_of(columns.label, label);
    category_fields fields(row, columns.delimiter);
    for (std::uint32_t column = 0; column < columns.roles.size; ++column) {
      category_field field;
      static_cast<void>(fields.next(field));
      count(column, label, of_class, field, 1, emit);
    }
  }

  /// Maps a whole chunk, with one emit for each different category. Runs on the CPU include map_chunk.hpp.
  void map_chunk(const chunk& part, auto& emit) const;

  /// `categories`: the list behind the view `known`.
  [[nodiscard]] static meaning meaning_of(byte_view key, const category_list& categories) {
    if (key.size == 0) return {meaning::malformed, 0, {}, {}};
    if (key.size == 1) return {meaning::unlabelled, 0, {}, {}};
    if (key.size == sizeof(numbers)) {
      numbers both;
      std::memcpy(&both, key.data, sizeof both);
      return {meaning::counted, categories.column(both.category), categories.text(both.of_class),
              categories.text(both.category)};
    }
    spelled_head head;
    std::memcpy(&head, key.data, sizeof head);
    const byte_view rest = key.sub(sizeof head, key.size - sizeof head);
    if (head.of_class != no_number)
      return {meaning::counted, head.column, categories.text(head.of_class), rest};
    const std::uint64_t end = find_byte(rest, '\n');
    return {meaning::counted, head.column, rest.sub(0, end), rest.sub(end + 1, rest.size - end - 1)};
  }

 private:
  struct numbers {
    std::uint16_t of_class;
    std::uint16_t category;
  };
  /// The head of a spelled-out key. The class and a newline follow if the class has no number, and then the
  /// category. The head is longer than two numbers, so the length of a key tells its kind.
  struct spelled_head {
    std::uint16_t of_class;
    std::uint16_t column;
    std::uint16_t unused;
  };
  static constexpr std::uint16_t no_number = 0xFFFF;

  [[nodiscard]] category_field field_in(byte_view text) const {
    category_field found;
    static_cast<void>(category_fields(text, columns.delimiter).next(found));
    return found;
  }

  [[nodiscard]] DUOMAP_HD std::uint32_t number_of(std::uint32_t column, const category_field& field) const {
    return field.has_doubled_quotes ? category_dictionary::none : known.find(column, field.text);
  }

  DUOMAP_HD void count(std::uint32_t column, const category_field& label, std::uint32_t of_class,
                       const category_field& field, std::uint64_t rows, auto& emit) const {
    const column_role role = columns.roles[column];
    if (role == column_role::left_out) return;
    if (label.is_missing()) {
      alignas(8) const char unlabelled[8] = {' '};
      if (role == column_role::label) emit(byte_view{unlabelled, 1}, rows);
      return;
    }
    if (role == column_role::attribute && columns.skip_missing && field.is_missing()) return;
    const std::uint32_t category =
        of_class == category_dictionary::none ? category_dictionary::none : number_of(column, field);
    if (category != category_dictionary::none) {
      const numbers both{static_cast<std::uint16_t>(of_class), static_cast<std::uint16_t>(category)};
      alignas(8) char pair[8];
      memcpy(pair, &both, sizeof both);
      emit(byte_view{pair, sizeof both}, rows);
    } else {
      alignas(8) char spelled[sizeof(spelled_head) + category_columns::most_bytes + 1];
      const spelled_head head{
          of_class == category_dictionary::none ? no_number : static_cast<std::uint16_t>(of_class),
          static_cast<std::uint16_t>(column), 0};
      std::uint64_t size = sizeof head;
      memcpy(spelled, &head, size);
      if (head.of_class == no_number) {
        size += label.write(spelled + size);
        spelled[size++] = '\n';
      }
      size += field.write(spelled + size);
      emit(byte_view{spelled, size}, rows);
    }
  }
};

}  // namespace duomap

template <>
inline constexpr bool duomap::gpu::has_code<duomap::category_counts> = DUOMAP_HAS_CUDA;
