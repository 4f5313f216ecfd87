// Describes the columns of Arrow tables, and makes pointers to their rows.
#pragma once

#include "apps/tasks/table/batch_layout.hpp"
#include "apps/tasks/table/column_view.hpp"
#include "arrow_abi.hpp"

#include <cstdint>
#include <deque>
#include <string>

namespace duomap::python {

[[nodiscard]] apps::column_type column_type_of(const ArrowSchema& schema);

/// The format of the column's values, if they are booleans, days or moments; else empty.
[[nodiscard]] std::string meaning_of(const ArrowSchema& schema);

/// Rows of a column of a batch. `from` counts from the beginning of the column's buffers.
struct arrow_rows {
  const ArrowSchema& schema;
  const ArrowArray& of;
  std::int64_t from = 0;
  std::int64_t count = 0;
};

/// Pointers to the rows of a column whose type is known. Checks offsets, views and places in dictionaries.
/// `dictionaries` gets the views of dictionaries, which must not move.
/// @throws input_error when the data is malformed
[[nodiscard]] apps::column_view view_of_rows(const arrow_rows& rows,
                                             std::deque<apps::column_view>& dictionaries);

/// About the number of bytes of the rows; a guess for types that are not known and for views of texts.
/// @throws input_error when the column has fewer rows
[[nodiscard]] std::uint64_t bytes_of_rows(const arrow_rows& rows);

}  // namespace duomap::python
