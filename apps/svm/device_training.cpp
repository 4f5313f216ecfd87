#include "apps/svm/device_training.hpp"

#include "apps/svm/blocked_training.hpp"
#include "apps/svm/gpu_training.hpp"
#include "apps/svm/pair_training.hpp"
#include "core/config.hpp"
#include "core/error.hpp"
#include "core/run_control.hpp"
#include "gpu/device/availability.hpp"
#include "gpu/device/device.hpp"
#include "gpu/device/in_process.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

namespace duomap {
namespace {

// What the first use of a GPU takes in a process (H200: 0.25 s for CUDA, up to 0.3 s for cuBLAS).
constexpr double gpu_start_seconds = 0.5;

#if DUOMAP_HAS_CUDA
bool asked_to_stop(const svm_problem& problem) {
  return problem.control != nullptr && problem.control->cancelled.load(std::memory_order_relaxed);
}

/// Two trainers at the same problem, and who was first.
class race {
 public:
  explicit race(const svm_problem& problem) : problem_(problem), watch_([this] { watch(); }) {}
  race(const race&) = delete;
  race& operator=(const race&) = delete;
  ~race() {
    end();
    watch_.join();
  }

  [[nodiscard]] svm_problem for_cpu() const { return with(cpu_); }
  [[nodiscard]] svm_problem for_gpu() const { return with(gpu_); }

  /// False when the race has ended before that.
  [[nodiscard]] bool wait(double seconds) {
    std::unique_lock lock(mutex_);
    return !changed_.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return ended_; });
  }

  /// Ends it for all.
  void end() {
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
      stop();
    }
    changed_.notify_all();
  }

 private:
  [[nodiscard]] svm_problem with(const run_control& control) const {
    svm_problem problem = problem_;
    problem.control = &control;
    return problem;
  }

  void stop() {
    cpu_.cancelled.store(true, std::memory_order_relaxed);
    gpu_.cancelled.store(true, std::memory_order_relaxed);
  }

  /// Hands on what the caller's control says.
  void watch() {
    constexpr auto interval = std::chrono::milliseconds(10);
    std::unique_lock lock(mutex_);
    while (!changed_.wait_for(lock, interval, [this] { return ended_; })) {
      if (asked_to_stop(problem_)) stop();
    }
  }

  const svm_problem& problem_;
  run_control cpu_;
  run_control gpu_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool ended_ = false;
  std::thread watch_;
};
#endif

}  // namespace

device_training::device_training(device_choice choice, parallel& pool) : choice_(choice), pool_(pool) {
  if (choice == device_choice::cpu) return;
  if (choice == device_choice::automatic && gpu::toolkit_version() == 0) return;
  if (choice == device_choice::automatic && !gpu::any_context()) {
    head_start_ = gpu_start_seconds;
    return;  // asking CUDA for its devices is left to the race
  }
  const gpu::device_plan plan =
      gpu::plan_devices(choice, DUOMAP_HAS_CUDA, {.addressable_units = 1, .cpu_seconds = 1});
  gpus_ = plan.gpus;
  if (!plan.note.empty()) notes_.push_back(plan.note);
}

svm_solution device_training::on_cpu(const svm_problem& problem) {
  return problem.method == svm_method::blocked ? train_blocked(problem, pool_)
                                               : train_by_pairs(problem, pool_);
}

svm_solution device_training::train(const svm_problem& problem) {
#if DUOMAP_HAS_CUDA
  if (choice_ == device_choice::gpu) {
    ++gpu_won_;
    return train_on_gpu(problem, gpus_.front());
  }
  if (!gpus_.empty() || head_start_ > 0) return on_both(problem);
#endif
  ++cpu_won_;
  return on_cpu(problem);
}

#if DUOMAP_HAS_CUDA
svm_solution device_training::on_both(const svm_problem& problem) {
  std::optional<svm_solution> of_gpu;
  std::string gpu_problem;
  std::optional<svm_solution> of_cpu;
  std::exception_ptr cpu_problem;
  {
    race between(problem);
    std::thread gpu([&] {
      try {
        if (head_start_ > 0 && !between.wait(head_start_)) return;
        if (gpus_.empty()) {
          const gpu::device_plan plan =
              gpu::plan_devices(device_choice::automatic, true, {.addressable_units = 1, .cpu_seconds = 1});
          gpus_ = plan.gpus;
          if (gpus_.empty()) {
            gpu_problem = plan.note;
            return;
          }
        }
        svm_solution found = train_on_gpu(between.for_gpu(), gpus_.front());
        of_gpu = std::move(found);
        between.end();
      } catch (const interrupted&) {
      } catch (const std::exception& problem_there) {
        gpu_problem = std::string("a GPU does not help: ") + problem_there.what();
      }
    });
    try {
      of_cpu = on_cpu(between.for_cpu());
      between.end();
    } catch (...) {
      cpu_problem = std::current_exception();
    }
    gpu.join();
  }
  if (!gpus_.empty()) head_start_ = 0;
  if (!gpu_problem.empty()) {
    notes_.push_back(gpu_problem);
    gpus_.clear();
    head_start_ = 0;
  }
  if (asked_to_stop(problem)) throw interrupted();
  if (of_cpu) {
    ++cpu_won_;
    return std::move(*of_cpu);
  }
  if (of_gpu) {
    ++gpu_won_;
    return std::move(*of_gpu);
  }
  std::rethrow_exception(cpu_problem);
}
#endif

std::vector<std::string> device_training::notes() const {
  std::vector<std::string> all = notes_;
  const std::string problems = cpu_won_ + gpu_won_ == 1 ? " problem" : " problems";
  if (gpu_won_ > 0 && choice_ == device_choice::gpu) {
    all.push_back("the GPU trained " + std::to_string(gpu_won_) + problems);
  } else if (gpu_won_ > 0 || choice_ == device_choice::cpu_gpu) {
    all.push_back("of " + std::to_string(cpu_won_ + gpu_won_) + problems + " the GPU finished " +
                  std::to_string(gpu_won_) + " first");
  }
  return all;
}

}  // namespace duomap
