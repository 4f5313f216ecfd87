// Declares the Python class Settings: the options of a run.
#pragma once

#include "core/run_options.hpp"

#include <nanobind/nanobind.h>

#include <string>
#include <vector>

namespace duomap::python {

/// The options of a run, with their names from the command line, and the function that gets the progress.
struct settings {
  run_options options;        ///< its folder of profiles comes from the environment
  bool deterministic;         ///< floating-point results with the same bits on all devices
  nanobind::object progress;  ///< called with (done, total), or None

  settings(const std::string& device, std::vector<int> gpus, unsigned threads, const std::string& share,
           bool same_bits, bool strict, bool timeline, nanobind::object tell);
};

/// For functions that cannot promise the same bits on all devices, for the reason `why`.
/// @throws usage_error if the settings ask for deterministic results
void refuse_deterministic(const settings& given, const char* why);

void add_settings(nanobind::module_& module);

}  // namespace duomap::python
