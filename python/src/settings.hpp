// Declares the Python class Settings: the options of a run.
#pragma once

#include "core/run_options.hpp"

#include <nanobind/nanobind.h>

#include <string>
#include <vector>

namespace duomap::python {

/// The options of a run, named as on the command line, and the user's progress function.
struct settings {
  run_options options;        ///< the folder of profiles comes from the environment
  bool deterministic;         ///< floating-point results with the same bits on all devices
  nanobind::object progress;  ///< called with (done, total), or None

  settings(const std::string& device, std::vector<int> gpus, unsigned threads, const std::string& share,
           bool same_bits, bool strict, bool timeline, nanobind::object tell);
};

/// Refuses deterministic results. `why`: the reason why a function cannot give the same bits on all devices.
/// @throws usage_error if the settings ask for deterministic results
void refuse_deterministic(const settings& given, const char* why);

void add_settings(nanobind::module_& module);

}  // namespace duomap::python
