// The values of columns in the rows that a grouping picked. The rows are read a second time.
// host only
#pragma once

#include "apps/tasks/table/column_plan.hpp"
#include "apps/tasks/table/grouping.hpp"
#include "apps/tasks/table/json_row.hpp"
#include "apps/tasks/table/row_picks.hpp"
#include "core/input/input.hpp"
#include "core/memory_reservation.hpp"
#include "core/output/table_writer.hpp"
#include "core/record/fields.hpp"
#include "core/worker_pool.hpp"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace duomap::apps {

/// Refuses picks from a source that can be read only once, such as a pipe. @throws usage_error, which names
/// it
void require_rows_again(const input& tables, const grouping& asked);

/// A value to read: that of a picked column in the row at a place.
struct wanted_value {
  std::int64_t place = 0;
  std::uint32_t column = 0;  ///< its index among the picked columns

  friend auto operator<=>(const wanted_value&, const wanted_value&) = default;
};

class picked_values {
 public:
  picked_values() = default;

  /// Reads values of rows. A value may be wanted several times.
  /// @throws input_error when a table has changed since it was grouped; memory_exceeded
  picked_values(std::vector<wanted_value> wanted, const input& tables, const column_plan& plan,
                const grouping& asked, worker_pool& pool, shared_budget memory);

  /// Whether the values of a picked column are texts. They are numbers if an aggregate reads the column's
  /// numbers or the user declares their type; otherwise if read_numbers() finds a type for all of them.
  [[nodiscard]] bool is_text(unsigned column) const { return !types_[column]; }

  /// A value that was read; missing if no row was picked. `text` holds a number that has too many digits for
  /// a double.
  [[nodiscard]] cell value(const picked_row& row, unsigned column, std::string& text) const;

  /// The number of a value for comparing rows; nothing if it is missing, or a text.
  [[nodiscard]] std::optional<long double> order(const picked_row& row, unsigned column) const;

 private:
  struct picked_value {
    std::string text = "\n";  ///< the value behind a line feed, which is the key of a value_row without group
    std::int64_t number = 0;
    bool missing = true;
    bool is_string = false;  ///< of JSON

    [[nodiscard]] byte_view value() const { return byte_view(text).sub(1, text.size() - 1); }
  };

  void read_source(std::uint32_t number, const input& tables, worker_pool& pool);
  /// Reads the wanted values of one row, from `index` on and before `end`. Returns the index behind them.
  std::size_t read_row(std::size_t index, std::size_t end, byte_view row, const std::string& table);
  /// Returns whether the row has the field.
  bool read_field(std::uint32_t field, const field_list& row, picked_value& to) const;
  static void read_log_field(byte_view field, picked_value& to);
  static void read_member(std::uint32_t column, const json_values& members, picked_value& to);
  [[nodiscard]] std::optional<number_type> read_type(unsigned column, const grouping& asked,
                                                     worker_pool& pool);
  [[nodiscard]] const picked_value* find(const picked_row& row, unsigned column) const;

  column_plan plan_;
  std::vector<std::uint32_t> fields_;  // of the picked columns
  std::vector<wanted_value> wanted_;   // in ascending order, each once
  std::vector<picked_value> values_;   // of wanted_
  std::vector<std::optional<number_type>> types_;
  memory_reservation held_;
};

}  // namespace duomap::apps
