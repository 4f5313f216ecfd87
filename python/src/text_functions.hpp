// Adds the applications over texts to the module: words, matches, page views, links, and grouping of table
// rows.
#pragma once

#include <nanobind/nanobind.h>

namespace duomap::python {

void add_text_functions(nanobind::module_& module);
void add_table_functions(nanobind::module_& module);

}  // namespace duomap::python
