// Training and classification as calls, rows in memory, measured.
// host only
#pragma once

#include "apps/algorithms/svm/svm.hpp"
#include "apps/bench/harness/comparison.hpp"

#include <span>
#include <string>
#include <vector>

namespace duomap::apps {

/// svm_train(), some times.
struct measured_training {
  std::string program;  ///< "svm_train()", and the method where it is not the usual one
  device_choice device = device_choice::cpu;
  series found;
  svm_training trained;          ///< by the last call
  double iteration_seconds = 0;  ///< of a step of two multipliers, what all calls take left out
};

/// svm_classifier::classify() of a model, some times. The first one prepares the support vectors.
struct measured_answer {
  device_choice device = device_choice::cpu;
  series found;
  svm_answer answer;
};

/// By working sets on each device; on GPUs also by pairs of first and second order.
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
