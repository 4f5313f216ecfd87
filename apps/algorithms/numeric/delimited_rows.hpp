// Converts rows of delimited text to numbers, one chunk at a time: what each worker does.
// host only
#pragma once

#include "apps/algorithms/numeric/delimited_layout.hpp"
#include "apps/algorithms/numeric/delimited_line.hpp"
#include "apps/algorithms/numeric/table_options.hpp"
#include "apps/algorithms/numeric/text_dictionary.hpp"
#include "core/byte_view.hpp"
#include "core/text/keyed_hash.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace duomap {

/// What kind of problem a row has: what helps depends on it.
enum class row_fault {
  none,
  not_a_number,
  odd_number,       ///< a number as it is not written here
  other_delimiter,  ///< several numbers, with another delimiter
  out_of_range,
  missing,
  unknown_text,
  quote,
  field_count,
};

/// A field that does not fit, and why.
struct field_problem {
  row_fault fault = row_fault::none;
  std::string what;
};

/// A row that does not fit, and why.
struct row_problem {
  std::uint64_t line = 0;  ///< of the chunk, counted from 0; blank ones count
  row_fault fault = row_fault::none;
  std::string what;
};

/// Where the rows of a chunk go, and what came of them.
template <class T>
struct converted_rows {
  T* values = nullptr;
  std::uint32_t* labels = nullptr;  ///< numbers in `classes`; not written when there is no label
  std::uint64_t room = 0;           ///< rows that were counted: no more are written
  std::uint64_t rows = 0;
  std::uint64_t bad = 0;
  std::optional<row_problem> first_problem;
  text_dictionary classes;
  /// Of each symbolic column in turn: the values are numbers in them.
  std::vector<text_dictionary> symbols;
};

/// What rows are converted by. Any thread may use it; it keeps references to what it was made of.
template <class T>
class row_converter {
 public:
  row_converter(const delimited_layout& layout, const table_options& options);

  /// Converts the rows of a chunk, which begins and ends between lines. With bad_rows::error it ends with the
  /// first bad row. False when there are not as many rows, good and bad, as there is room for: the text
  /// changed since they were counted.
  [[nodiscard]] bool convert(byte_view chunk, converted_rows<T>& into) const;

 private:
  using known_texts = std::unordered_map<std::string, std::uint32_t, keyed_hash>;

  [[nodiscard]] const char* convert_row(const char* at, const char* end, converted_rows<T>& into,
                                        row_problem& problem) const;
  [[nodiscard]] field_problem convert_field(std::size_t index, const delimited_field& field,
                                            std::uint64_t value, std::uint64_t symbol,
                                            converted_rows<T>& into) const;
  [[nodiscard]] field_problem convert_number(const delimited_field& field, T& value) const;
  [[nodiscard]] std::string wrong_number_of_fields(byte_view line) const;

  const delimited_layout& layout_;
  const table_options& options_;
  std::uint64_t columns_;
  /// Of each symbolic column in turn; empty when the texts are not known beforehand.
  std::vector<known_texts> known_;
};

}  // namespace duomap
