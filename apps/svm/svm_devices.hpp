// Where a support vector machine is trained and used: on the CPU, on a GPU, or first on one and then the
// other. host only
#pragma once

#include "apps/svm/svm_problem.hpp"
#include "core/job_options.hpp"
#include "core/parallel.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace duomap {

/// Whether `auto` may choose a GPU. Not yet: earlier forms of the training kernels have reached the CPU's
/// optimum as an experiment; the present ones, classification and the commands have not run on a GPU. Until
/// `./dev gpu` has passed the tests tagged [svm], only --device gpu and cpu+gpu reach that code. (Then this,
/// and what asks for it in svm_devices.cpp, goes.)
inline constexpr bool auto_may_choose_gpu = false;

/// On the CPU, by the problem's method. @throws interrupted; out_of_memory
[[nodiscard]] svm_solution train_on(const svm_problem& problem, parallel& pool);

/// The devices of one training. `automatic` (where it may choose a GPU) begins on the CPU, and gives what is
/// not done after a quarter of a second, which is what starting a GPU takes, to a GPU from the beginning: so
/// small problems start none, and none takes much more than twice as long as on the better device.
class svm_devices {
 public:
  /// `least_seconds`: what the CPU will take at least; for less than 50 ms nobody looks for GPUs, which takes
  /// as long. @throws device_unavailable when `choice` demands a GPU that cannot be had
  svm_devices(device_choice choice, bool strict, double least_seconds);

  [[nodiscard]] bool cpu_begins() const noexcept {
    return choice_ != device_choice::gpu && choice_ != device_choice::cpu_gpu;
  }
  /// When the CPU stops.
  [[nodiscard]] std::chrono::steady_clock::time_point give_up() const noexcept { return give_up_; }

  /// On the GPU; by the pool where the GPU has too little memory or is lost, unless only the GPU was asked
  /// for.
  [[nodiscard]] svm_solution train(const svm_problem& problem, parallel& pool);

  /// What was decided, and why, as sentences.
  [[nodiscard]] const std::vector<std::string>& notes() const noexcept { return notes_; }

 private:
  void note(const std::string& sentence);

  device_choice choice_;
  [[maybe_unused]] bool strict_;  // of builds with GPU code
  std::optional<int> gpu_;
  std::chrono::steady_clock::time_point give_up_ = std::chrono::steady_clock::time_point::max();
  std::vector<std::string> notes_;
};

/// The GPU that classifies, when the CPU alone would take `cpu_seconds`; nothing: the CPU does, and `note`
/// says why, if it says anything. @throws device_unavailable
[[nodiscard]] std::optional<int> gpu_for_classification(device_choice choice, double cpu_seconds,
                                                        std::string& note);

}  // namespace duomap
