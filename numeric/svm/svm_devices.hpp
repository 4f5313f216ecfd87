// Chooses where a support vector machine is trained and used: on the CPU, on a GPU, or first on the CPU and
// then on a GPU. host only
#pragma once

#include "core/iterative_report.hpp"
#include "core/run_options.hpp"
#include "core/worker_pool.hpp"
#include "numeric/svm/svm_problem.hpp"

#include <chrono>
#include <future>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace duomap {

/// Trains on the CPU, by the problem's method. @throws interrupted; out_of_memory
[[nodiscard]] svm_solution train_on(const svm_problem& problem, worker_pool& pool);

/// Estimates the seconds that a core takes for the kernel values of `rows` rows with all of `vectors`.
[[nodiscard]] double estimate_kernel_seconds(const svm_rows& vectors, std::uint64_t rows);

/// The devices of one training. `automatic` begins on the CPU. After the CPU has worked for as long as a GPU
/// takes to start, a GPU starts beside it. If the CPU is expected to need more than twice that time, the GPU
/// starts at once. A started GPU continues from the CPU's state. So small problems start no GPU, and no
/// problem takes much more than twice the time of the better device. `cpu_gpu` starts a GPU at once. Any
/// thread may call any member.
class svm_devices {
 public:
  /// Uses the options device, gpus and strict. `expected_seconds`: about how long `workers` CPU workers will
  /// take. `log` gets the starts of GPUs; may be null.
  /// @throws device_unavailable when the options demand a GPU and there is none
  svm_devices(const run_options& options, double expected_seconds, unsigned workers,
              scheduler::step_log* log);
  svm_devices(const svm_devices&) = delete;
  svm_devices& operator=(const svm_devices&) = delete;
  /// Waits for a GPU that is starting.
  ~svm_devices() = default;

  [[nodiscard]] bool cpu_begins() const noexcept { return choice_ != device_choice::gpu; }

  /// Starts a GPU when it is time, without waiting. Returns true once a GPU is ready: the CPU should then
  /// stop, and the GPU continues from its state. @throws device_lost, device_unavailable, with `strict`
  [[nodiscard]] bool gpu_takes_over();

  /// Trains on the CPU, with a pool of some of the workers. @throws interrupted; out_of_memory
  [[nodiscard]] svm_solution train_on_pool(const svm_problem& problem, worker_pool& pool);

  /// Trains on the GPU. If the GPU has too little memory or is lost, the pool trains instead, unless the
  /// options ask for the GPU alone. @throws interrupted; out_of_memory; device_lost
  [[nodiscard]] svm_solution train(const svm_problem& problem, worker_pool& pool);

  /// Trains on the CPU in float64, from the problem's start; see train_exactly().
  [[nodiscard]] svm_solution finish_exactly(const svm_problem& problem, const svm_rows_of<double>& rows,
                                            worker_pool& pool);

  /// The work of each device, and the reasons for the choice of devices. A step is a round, in which a device
  /// maps the rows of the problem. The caller adds facts of its own.
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
  template <class Trainer>
  [[nodiscard]] svm_solution timed_here(const svm_problem& problem, worker_pool& pool,
                                        const Trainer& trainer);
  void log_start(const started_gpu& started);
  [[nodiscard]] static std::string name_of(int gpu) { return "gpu " + std::to_string(gpu); }

  device_choice choice_;
  std::vector<int> gpus_;  ///< GPUs that may take part; none: all
  bool strict_;
  unsigned workers_;
  scheduler::step_log* log_;  ///< may be null
  clock::time_point begin_ = clock::now();
  clock::time_point start_at_ = clock::time_point::max();
  mutable std::mutex mutex_;  // guards all members below
  std::optional<int> gpu_;
  std::vector<std::string> notes_;
  iterative_part cpu_{.name = "cpu"};
  std::vector<iterative_part> devices_;
  double cpu_alone_seconds_ = 0;       ///< seconds before a GPU was ready
  std::future<started_gpu> starting_;  // the last member, because its destructor waits
};

/// Chooses the GPUs that classify, if the CPU alone would take `cpu_seconds`. None: the CPU classifies, and
/// `note` may say why. `automatic` uses started GPUs, and starts at most one more. @throws device_unavailable
[[nodiscard]] std::vector<int> gpus_for_classification(const run_options& options, double cpu_seconds,
                                                       std::string& note);

}  // namespace duomap
