// Declares the Python class Columns.
#pragma once

#include "columns.hpp"

#include <nanobind/nanobind.h>

#include <memory>
#include <utility>

namespace duomap::python {

/// Shared, because NumPy arrays and Arrow streams over the columns keep them alive.
using shared_columns = std::shared_ptr<const columns>;

/// An object of the Python class Columns.
struct column_set {
  shared_columns of;
};

[[nodiscard]] inline column_set share(columns all) {
  return {std::make_shared<const columns>(std::move(all))};
}

void add_columns(nanobind::module_& module);
/// Adds the two functions with which pickle stores and restores columns.
void add_columns_state(nanobind::module_& module);

}  // namespace duomap::python
