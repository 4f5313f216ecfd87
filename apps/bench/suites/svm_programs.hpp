// Programs that train and classify: LIBSVM's, and duomap.
// host only
#pragma once

#include "apps/bench/harness/comparison.hpp"
#include "core/job_options.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace duomap::apps {

/// What is trained, and what is classified by it.
struct data_set {
  std::string name;
  std::string training, test;
  std::string c, gamma;
  bool odd_against_even = false;                                        ///< labels by whether they are even
  std::uint64_t most_rows = std::numeric_limits<std::uint64_t>::max();  ///< the first so many
};

/// A command of one of the programs, and what it did.
struct svm_command {
  std::string path;
  std::vector<std::string> arguments;
  series done = {};
  bool stopped = false;  ///< before it had ended
};

/// Programs of one origin, and the files that they write.
struct svm_programs {
  std::string name;
  std::string device = "cpu";
  unsigned threads = 1;
  svm_command train, classify;
  std::string model, labels;
};

/// LIBSVM's first, then duomap's on each device, over `folder`/train and `folder`/test.
/// @param other_libsvm a folder with another build of LIBSVM's; empty: none
/// @throws usage_error when LIBSVM's programs are not installed
[[nodiscard]] std::vector<svm_programs> svm_programs_for(const data_set& data,
                                                         const std::string& other_libsvm,
                                                         const std::vector<device_choice>& devices,
                                                         const std::string& folder);

/// Runs one command of each in turn. One that was stopped or took long is not run again.
/// @param what for progress: "a9a, training"
/// @param limit seconds after which a command is stopped; 0: never
void run_in_turn(std::vector<svm_programs>& all, svm_command svm_programs::*command, const std::string& what,
                 double limit, unsigned rounds, const run_control& control);

}  // namespace duomap::apps
