// Adds the applications over arrays and files of numbers to the module.
#pragma once

#include <nanobind/nanobind.h>

namespace duomap::python {

void add_number_functions(nanobind::module_& module);

}  // namespace duomap::python
