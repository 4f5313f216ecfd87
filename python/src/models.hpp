// Adds the classifiers to the module: support vector machines and naive Bayes.
#pragma once

#include <nanobind/nanobind.h>

namespace duomap::python {

void add_svm(nanobind::module_& module);
void add_naive_bayes(nanobind::module_& module);

}  // namespace duomap::python
