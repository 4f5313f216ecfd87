// Errors of duomap as exceptions of Python.
#pragma once

#include "core/error.hpp"

namespace duomap::python {

/// The process is the child of one in which duomap had run.
class forked_process : public error {
 public:
  explicit forked_process(const std::string& message) : error(exit_status::failed, message) {}
};

/// Errors become the exceptions of duomap/_errors.py.
void add_errors();

}  // namespace duomap::python
