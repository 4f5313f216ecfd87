// Chooses the Python exception for each duomap::error, and raises it with the error's message.
#include "errors.hpp"

#include "apps/build_cache/compile_error.hpp"

#include <nanobind/nanobind.h>

#include <cstring>
#include <exception>

namespace duomap::python {
namespace {

namespace nb = nanobind;

const char* class_of(const error& problem) {
  if (dynamic_cast<const forked_process*>(&problem) != nullptr) return "ForkedProcess";
  if (dynamic_cast<const usage_error*>(&problem) != nullptr) return "UsageError";
  if (dynamic_cast<const device_unavailable*>(&problem) != nullptr) return "DeviceUnavailable";
  if (dynamic_cast<const device_lost*>(&problem) != nullptr) return "DeviceLost";
  if (problem.status() == exit_status::out_of_memory) return "OutOfMemory";
  if (dynamic_cast<const input_error*>(&problem) != nullptr) return "InputError";
  if (dynamic_cast<const apps::compile_error*>(&problem) != nullptr) return "CompileError";
  if (dynamic_cast<const map_failed*>(&problem) != nullptr) return "MapFailed";
  return "Error";
}

}  // namespace

void add_errors() {
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const error& problem) {
      const nb::object type = nb::module_::import_("duomap._errors").attr(class_of(problem));
      // A message may contain a file's name, which may not be UTF-8.
      const nb::object message = nb::steal(PyUnicode_DecodeUTF8(
          problem.what(), static_cast<Py_ssize_t>(std::strlen(problem.what())), "backslashreplace"));
      PyErr_SetObject(type.ptr(), message.ptr());
    }
  });
}

}  // namespace duomap::python
