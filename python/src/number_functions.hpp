// The applications over arrays of numbers, and files of them.
#pragma once

#include <nanobind/nanobind.h>

namespace duomap::python {

void add_number_functions(nanobind::module_& module);

}  // namespace duomap::python
