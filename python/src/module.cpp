// Defines the module duomap._core, which the Python files of the package call.
#include "arrow_input.hpp"
#include "column_set.hpp"
#include "core/version.hpp"
#include "errors.hpp"
#include "gpu_arrays.hpp"
#include "models.hpp"
#include "number_functions.hpp"
#include "own_tasks.hpp"
#include "settings.hpp"
#include "text_functions.hpp"
#include "texts.hpp"
#include "watched_run.hpp"

#include <nanobind/nanobind.h>

#include <string>

NB_MODULE(_core, module) {
  namespace python = duomap::python;
  module.attr("version") = std::string(duomap::version).c_str();
  python::add_errors();
  python::add_settings(module);
  python::add_report(module);
  python::add_texts(module);
  python::add_columns(module);
  python::add_arrow_input(module);
  python::add_text_functions(module);
  python::add_table_functions(module);
  python::add_gpu_arrays(module);
  python::add_number_functions(module);
  python::add_own_tasks(module);
  python::add_svm(module);
  python::add_naive_bayes(module);
}
