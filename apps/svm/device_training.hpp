// Which device trains a support vector machine.
// host only
#pragma once

#include "apps/svm/svm_problem.hpp"
#include "core/job_options.hpp"
#include "core/parallel.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace duomap {

/// Trains problems one after another where it was asked for.
///
/// `automatic` decides by racing: the CPU begins, and when it has not finished in the time that starting a
/// GPU takes, the GPU begins too; who is first ends the other. With cpu+gpu both begin at once.
class device_training {
 public:
  /// `pool` must outlive this.
  /// @throws device_unavailable when a GPU is demanded and there is none
  device_training(device_choice choice, parallel& pool);

  /// @throws interrupted; out_of_memory; device_lost when the GPU alone was asked for
  [[nodiscard]] svm_solution train(const svm_problem& problem);

  /// Who trained, and why, for the run's report.
  [[nodiscard]] std::vector<std::string> notes() const;

 private:
  [[nodiscard]] svm_solution on_cpu(const svm_problem& problem);
  [[nodiscard]] svm_solution on_both(const svm_problem& problem);

  device_choice choice_;
  parallel& pool_;
  std::vector<int> gpus_;
  double head_start_ = 0;  ///< of the CPU, in seconds
  std::uint64_t cpu_won_ = 0;
  std::uint64_t gpu_won_ = 0;
  std::vector<std::string> notes_;
};

}  // namespace duomap
