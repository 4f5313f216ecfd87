// The options of a run, as Python gives them.
#pragma once

#include "apps/cli/run_options.hpp"

#include <nanobind/nanobind.h>

#include <string>
#include <vector>

namespace duomap::python {

/// Options with the names that they have on the command line, and what is called with the progress.
struct settings {
  apps::run_options options;
  nanobind::object progress;  ///< called with (done, total), or None

  settings(const std::string& device, std::vector<int> gpus, unsigned threads, const std::string& split,
           bool deterministic, bool strict, bool timeline, nanobind::object tell);
};

/// @throws usage_error if the same bits are asked for, where nobody can promise them: `why` that is.
void refuse_deterministic(const settings& given, const char* why);

void add_settings(nanobind::module_& module);

}  // namespace duomap::python
