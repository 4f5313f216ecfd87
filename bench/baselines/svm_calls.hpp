// Measures training and classification as function calls, with the rows in memory.
// host only
#pragma once

#include "bench/harness/comparison.hpp"
#include "numeric/svm/svm.hpp"

#include <span>
#include <string>
#include <vector>

namespace duomap::apps {

/// The times and the result of several calls of svmtrain().
struct measured_training {
  std::string program;  ///< "svm_train()", and the method if it is not the default
  device_choice device = device_choice::cpu;
  series found;
  svm_training trained;          ///< the result of the last call
  double iteration_seconds = 0;  ///< for one step of two multipliers, without the fixed cost of a call
};

/// The times and the result of several calls of svm_classifier::classify(). The first call prepares the
/// support vectors.
struct measured_answer {
  device_choice device = device_choice::cpu;
  series found;
  svm_answer answer;
};

/// Times training by working sets on each device. On GPUs also times pairs of first and of second order.
[[nodiscard]] std::vector<measured_training> measure_training(const svm_rows& rows,
                                                              std::span<const double> labels,
                                                              const svm_options& options,
                                                              std::span<const device_choice> devices,
                                                              unsigned rounds, const run_control& control);

[[nodiscard]] std::vector<measured_answer> measure_classification(const svm_model& model,
                                                                  const svm_rows& rows,
                                                                  std::span<const device_choice> devices,
                                                                  unsigned rounds,
                                                                  const run_control& control);

}  // namespace duomap::apps
