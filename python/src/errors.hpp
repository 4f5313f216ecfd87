// Translates duomap's errors to exceptions of Python.
#pragma once

#include "core/error.hpp"

namespace duomap::python {

/// This process was forked from a process that had already run duomap.
class forked_process : public error {
 public:
  explicit forked_process(const std::string& message) : error(exit_status::failed, message) {}
};

/// Registers the translation of duomap::error to the exceptions of duomap/_errors.py.
void add_errors();

}  // namespace duomap::python
