// Runs the programs that train and classify: LIBSVM's and duomap.
// host only
#pragma once

#include "bench/harness/comparison.hpp"
#include "core/run_options.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace duomap::apps {

/// The files and parameters of a problem: rows to train with and rows to classify.
struct data_set {
  std::string name;
  std::string training, test;
  std::string c, gamma;
  bool odd_against_even = false;  ///< replaces labels by 1 for even and -1 for odd numbers
  std::uint64_t most_rows = std::numeric_limits<std::uint64_t>::max();  ///< uses only the first rows
};

/// A command of one of the programs, and its runs.
struct svm_command {
  std::string path;
  std::vector<std::string> arguments;
  series done = {};
  bool stopped = false;  ///< it reached the limit before its end
};

/// The commands of one program or library, and the files that they write.
struct svm_programs {
  std::string name;
  std::string device = "cpu";
  unsigned threads = 1;
  svm_command train, classify;
  std::string model, labels;
};

/// Makes the commands over `folder`/train and `folder`/test: LIBSVM's first, then duomap's for each device.
/// @param other_libsvm a folder with another build of LIBSVM; empty: none
/// @throws usage_error when LIBSVM's programs are not installed
[[nodiscard]] std::vector<svm_programs> svm_programs_for(const data_set& data,
                                                         const std::string& other_libsvm,
                                                         const std::vector<device_choice>& devices,
                                                         const std::string& folder);

/// Runs one command of each program in turn. A command is not run again if it was stopped or if its first run
/// took more than 8 s.
/// @param what for progress: "a9a, training"
/// @param limit seconds after which a command is stopped; 0: never
void run_in_turn(std::vector<svm_programs>& all, svm_command svm_programs::*command, const std::string& what,
                 double limit, unsigned rounds, const run_control& control);

}  // namespace duomap::apps
