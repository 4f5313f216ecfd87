// The aggregates of an answer that are values of picked rows.
// host only
#pragma once

#include "apps/tasks/table/group_rows.hpp"
#include "apps/tasks/table/grouping.hpp"
#include "apps/tasks/table/pick_rows.hpp"
#include "apps/tasks/table/picked_values.hpp"
#include "apps/tasks/table/plan_picks.hpp"
#include "core/error.hpp"
#include "core/output/table_writer.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace duomap::apps {

/// The picked rows of a state; null if its task picks none.
template <unsigned Values>
[[nodiscard]] const picked_row* picked_rows_of(const group_state<Values>&) {
  return nullptr;
}
template <unsigned Values, unsigned Rows>
[[nodiscard]] const picked_row* picked_rows_of(const picked_state<Values, Rows>& from) {
  return from.rows;
}

class picked_cells {
 public:
  explicit picked_cells(const grouping& asked)
    : aggregates_(asked.aggregates), rows_(picked_row_of(asked)), columns_(picked_column_of(asked)) {}

  /// Appends the values that the aggregates of a group need.
  void add_wanted(const picked_row* rows, std::vector<wanted_value>& to) const {
    for (std::size_t i = 0; rows != nullptr && i < aggregates_.size(); ++i) {
      if (is_pick(aggregates_[i].kind) && rows[rows_[i]].is_row())
        to.push_back({rows[rows_[i]].place, columns_[i]});
    }
  }

  void set_values(picked_values values) { values_ = std::move(values); }

  [[nodiscard]] bool is_text(std::size_t aggregate) const {
    return is_pick(aggregates_[aggregate].kind) && values_.is_text(columns_[aggregate]);
  }

  /// @throws usage_error when rows shall be ordered by an aggregate of texts
  void require_number(std::size_t aggregate) const {
    if (is_text(aggregate))
      throw usage_error(aggregates_[aggregate].heading() +
                        " has texts, and rows are ordered by numbers; put another aggregate first");
  }

  /// The value of an aggregate that is a pick.
  [[nodiscard]] cell value(std::size_t aggregate, const picked_row* rows, std::string& text) const {
    return values_.value(rows[rows_[aggregate]], columns_[aggregate], text);
  }
  [[nodiscard]] std::optional<long double> order(std::size_t aggregate, const picked_row* rows) const {
    return values_.order(rows[rows_[aggregate]], columns_[aggregate]);
  }

 private:
  std::vector<aggregate> aggregates_;
  std::vector<unsigned> rows_;     // the index of each aggregate's row in a state
  std::vector<unsigned> columns_;  // the picked column of each aggregate
  picked_values values_;
};

}  // namespace duomap::apps
