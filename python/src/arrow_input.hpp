// Reads columns that other libraries hand over in Arrow's C structures.
#pragma once

#include <nanobind/nanobind.h>

namespace duomap::python {

void add_arrow_input(nanobind::module_& module);

}  // namespace duomap::python
