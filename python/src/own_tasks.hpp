// Adds the tasks of users to the module: shared libraries, and functions that Numba compiled.
#pragma once

#include <nanobind/nanobind.h>

namespace duomap::python {

void add_own_tasks(nanobind::module_& module);

}  // namespace duomap::python
