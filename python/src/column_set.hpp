// Columns as Python sees them.
#pragma once

#include "columns.hpp"

#include <nanobind/nanobind.h>

#include <memory>
#include <utility>

namespace duomap::python {

/// Shared with arrays of NumPy and streams of Arrow.
using shared_columns = std::shared_ptr<const columns>;

/// The class Columns.
struct column_set {
  shared_columns of;
};

[[nodiscard]] inline column_set share(columns all) {
  return {std::make_shared<const columns>(std::move(all))};
}

void add_columns(nanobind::module_& module);
/// For pickle.
void add_columns_state(nanobind::module_& module);

}  // namespace duomap::python
