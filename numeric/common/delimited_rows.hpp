// Converts rows of delimited text to numbers, one chunk at a time. Each worker does this with its chunks.
// host only
#pragma once

#include "core/byte_view.hpp"
#include "core/text/keyed_hash.hpp"
#include "numeric/common/delimited_layout.hpp"
#include "numeric/common/delimited_line.hpp"
#include "numeric/common/float32_loss.hpp"
#include "numeric/common/table_options.hpp"
#include "numeric/common/text_dictionary.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace duomap {

/// The kind of a row's problem, on which the advice in the message depends.
enum class row_fault {
  none,
  not_a_number,
  odd_number,       ///< a number in a notation that is not read here
  other_delimiter,  ///< several numbers, separated by another delimiter
  out_of_range,
  missing,
  unknown_text,
  quote,
  field_count,
};

/// The reason why a field cannot be converted, if there is one.
struct field_problem {
  row_fault fault = row_fault::none;
  std::string what;
};

/// The reason why a row cannot be converted, if there is one.
struct row_problem {
  std::uint64_t line = 0;  ///< line in the chunk, counted from 0, with blank lines
  row_fault fault = row_fault::none;
  std::string what;
};

/// The places for a chunk's rows, and the results of converting them.
template <class T>
struct converted_rows {
  T* values = nullptr;
  std::uint32_t* labels = nullptr;  ///< numbers in `classes`; not written without a label
  std::uint64_t room = 0;           ///< number of rows counted earlier: no more are written
  std::uint64_t rows = 0;
  std::uint64_t bad = 0;
  std::optional<row_problem> first_problem;
  float32_loss_check watch;  ///< used if T is float
  text_dictionary classes;
  /// A dictionary for each symbolic column: the column's values are numbers in the dictionary.
  std::vector<text_dictionary> symbols;
};

/// Converts rows by a layout and options, and keeps references to both. Several threads may share one object.
template <class T>
class row_converter {
 public:
  row_converter(const delimited_layout& layout, const table_options& options);

  /// Converts the rows of a chunk of whole lines. With bad_rows::error, stops at the first bad row. Returns
  /// false when the number of rows, good and bad, is not `room`: the text has changed since its rows were
  /// counted.
  [[nodiscard]] bool convert(byte_view chunk, converted_rows<T>& into) const;

 private:
  using known_texts = std::unordered_map<std::string, std::uint32_t, keyed_hash>;

  [[nodiscard]] const char* convert_row(const char* at, const char* end, converted_rows<T>& into,
                                        row_problem& problem) const;
  [[nodiscard]] field_problem convert_field(std::size_t index, const delimited_field& field,
                                            std::uint64_t value, std::uint64_t symbol,
                                            converted_rows<T>& into) const;
  [[nodiscard]] field_problem convert_number(const delimited_field& field, std::uint64_t value,
                                             converted_rows<T>& into) const;
  [[nodiscard]] std::string wrong_number_of_fields(byte_view line) const;

  const delimited_layout& layout_;
  const table_options& options_;
  std::uint64_t columns_;
  /// The known texts of each symbolic column; empty when the texts are not known beforehand.
  std::vector<known_texts> known_;
};

}  // namespace duomap
