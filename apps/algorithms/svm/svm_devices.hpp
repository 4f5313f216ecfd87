// Where a support vector machine is trained and used: on the CPU, on a GPU, or first on one and then the
// other. host only
#pragma once

#include "apps/algorithms/svm/svm_problem.hpp"
#include "core/iterative_report.hpp"
#include "core/job_options.hpp"
#include "core/worker_pool.hpp"

#include <chrono>
#include <future>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace duomap {

/// On the CPU, by the problem's method. @throws interrupted; out_of_memory
[[nodiscard]] svm_solution train_on(const svm_problem& problem, worker_pool& pool);

/// What the kernel values of `rows` rows with all of `vectors` take a core, about, in seconds.
[[nodiscard]] double seconds_to_meet(const svm_rows& vectors, std::uint64_t rows);

/// The devices of one training. `automatic` begins on the CPU. When that has worked for as long as a GPU
/// takes to start, or can be expected to from the beginning, one is started beside it, and goes on from what
/// the CPU has reached by then. So small problems start none, and none takes much more than twice as long as
/// on the better device. `cpu_gpu` starts one at once. All members may be called by any thread.
class svm_devices {
 public:
  /// Of the options device, gpus and strict count. `expected_seconds`: what the CPU will take, about, with so
  /// many workers. `log` may be null; it gets the starts of GPUs.
  /// @throws device_unavailable when they demand a GPU that cannot be had
  svm_devices(const job_options& options, double expected_seconds, unsigned workers,
              scheduler::step_log* log);
  svm_devices(const svm_devices&) = delete;
  svm_devices& operator=(const svm_devices&) = delete;
  /// Waits for a GPU that is being started.
  ~svm_devices() = default;

  [[nodiscard]] bool cpu_begins() const noexcept { return choice_ != device_choice::gpu; }

  /// Whether a GPU is ready to go on with what the CPU does. @throws device_lost, with `strict`
  [[nodiscard]] bool gpu_goes_on();

  /// On the CPU, by a pool of some of the workers. @throws interrupted; out_of_memory
  [[nodiscard]] svm_solution train_here(const svm_problem& problem, worker_pool& pool);

  /// On the GPU; by the pool where the GPU has too little memory or is lost, unless only the GPU was asked
  /// for. @throws interrupted; out_of_memory; device_lost
  [[nodiscard]] svm_solution train(const svm_problem& problem, worker_pool& pool);

  /// What each device did, what was decided, and why. A step is a round; of it, a device has mapped the rows
  /// of the problem. The caller adds what it knows.
  [[nodiscard]] iterative_report report() const;

 private:
  using clock = std::chrono::steady_clock;
  struct started_gpu {
    std::optional<int> index;
    std::string note;
    double begin = 0;
    double seconds = 0;
  };

  void start_gpu(std::vector<int> candidates);
  void note(const std::string& sentence);
  void log_start(const started_gpu& started);
  [[nodiscard]] static std::string name_of(int gpu) { return "gpu " + std::to_string(gpu); }

  device_choice choice_;
  std::vector<int> gpus_;  ///< that may take part; none: all
  bool strict_;
  unsigned workers_;
  scheduler::step_log* log_;  ///< may be null
  clock::time_point begin_ = clock::now();
  clock::time_point start_at_ = clock::time_point::max();
  mutable std::mutex mutex_;  // of all below
  std::optional<int> gpu_;
  std::vector<std::string> notes_;
  iterative_part cpu_{.name = "cpu"};
  std::vector<iterative_part> devices_;
  double cpu_alone_seconds_ = 0;       ///< before a GPU was there
  std::future<started_gpu> starting_;  // the last member, whose destructor waits
};

/// The GPUs that classify, when the CPU alone would take `cpu_seconds`; none: the CPU does, and `note` says
/// why, if it says anything. `automatic` starts one at most, and takes those that are started.
/// @throws device_unavailable
[[nodiscard]] std::vector<int> gpus_for_classification(const job_options& options, double cpu_seconds,
                                                       std::string& note);

}  // namespace duomap
