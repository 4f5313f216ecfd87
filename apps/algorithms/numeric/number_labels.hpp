// Labels that are numbers become classes.
// host only
#pragma once

#include "apps/algorithms/numeric/labelled_table.hpp"

#include <span>

namespace duomap {

/// Gives a table the labels `numbers`, one for each row, none of which is NaN: the classes are their shortest
/// decimals, in ascending order.
void label_by_numbers(table_facts& table, std::span<const double> numbers);

}  // namespace duomap
