// Groups the rows of a result a second time: by all key columns but the last one, the column of values.
// host only
#pragma once

#include "apps/tasks/table/column_plan.hpp"
#include "core/byte_view.hpp"
#include "core/worker_pool.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace duomap::apps {

/// One row of the task's result: a value under a group.
struct value_row {
  std::uint64_t hash = 0;  ///< of the group
  std::int64_t number = 0;
  std::uint64_t rows = 0;     ///< rows of the table with this value; 0 for a missing value
  const char* key = nullptr;  ///< the group, one byte and the value
  std::uint32_t key_size = 0;
  std::uint32_t group_size = 0;
  const void* state = nullptr;  ///< the state of the task

  [[nodiscard]] byte_view group() const { return {key, group_size}; }
  [[nodiscard]] byte_view text() const { return {key + group_size + 1, key_size - group_size - 1}; }
};

/// Splits the key of a row at its last line feed. `columns`: the number of key columns.
/// @throws input_error for a key of another number of columns, which only a forged partial has
[[nodiscard]] value_row value_row_of(byte_view key, unsigned columns);

/// The type of integers or decimals that holds all values exactly, else doubles if no value has more than 17
/// digits; sets the numbers. Nothing, with all numbers 0, if there is no such type, or if a value has a zero
/// before other digits, as only codes have it. decimal_comma: a comma is in front of decimals.
[[nodiscard]] std::optional<number_type> read_numbers(std::vector<value_row>& rows, worker_pool& pool,
                                                      bool decimal_comma = false);

/// The middle between two numbers of a column, as a double.
[[nodiscard]] double middle_of(std::int64_t least, std::int64_t greatest, const number_type& type);

/// The number of parts into which for_each_group() divides the groups.
[[nodiscard]] std::uint64_t parts_of_groups(const worker_pool& pool);

/// Brings the rows of each group together, in the order of their numbers, and calls use(part, rows) for each
/// group. Calls for different parts may run at the same time. Needs memory for a second copy of the rows.
void for_each_group(std::vector<value_row>& rows, worker_pool& pool,
                    const std::function<void(std::uint64_t part, std::span<const value_row> group)>& use);

}  // namespace duomap::apps
