// Tasks that users bring as shared libraries.
#pragma once

#include <nanobind/nanobind.h>

namespace duomap::python {

void add_own_tasks(nanobind::module_& module);

}  // namespace duomap::python
