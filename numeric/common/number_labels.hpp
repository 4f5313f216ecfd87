// Turns labels that are numbers into classes.
// host only
#pragma once

#include "numeric/common/labelled_table.hpp"

#include <span>

namespace duomap {

/// Gives a table the labels `numbers`, one for each row, without NaN. The classes are the shortest decimals
/// of the numbers, in ascending order.
void label_by_numbers(table_metadata& table, std::span<const double> numbers);

}  // namespace duomap
