// The applications over texts: words, matches, views of pages, links.
#pragma once

#include <nanobind/nanobind.h>

namespace duomap::python {

void add_text_functions(nanobind::module_& module);

}  // namespace duomap::python
