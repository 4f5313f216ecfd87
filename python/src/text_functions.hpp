// Adds the applications over texts to the module: words, matches, page views, links, and groups of the rows
// of tables.
#pragma once

#include <nanobind/nanobind.h>

namespace duomap::python {

void add_text_functions(nanobind::module_& module);
void add_table_functions(nanobind::module_& module);

}  // namespace duomap::python
