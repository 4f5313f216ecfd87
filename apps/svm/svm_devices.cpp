#include "apps/svm/svm_devices.hpp"

#include "apps/svm/blocked_training.hpp"
#include "apps/svm/gpu_training.hpp"
#include "apps/svm/pair_training.hpp"
#include "core/add_note.hpp"
#include "core/error.hpp"
#include "gpu/device/availability.hpp"

#include <limits>

namespace duomap {
namespace {

constexpr bool has_gpu_code = DUOMAP_HAS_CUDA;

// On an H200, context and first kernel.
constexpr std::chrono::milliseconds gpu_start{250};

/// The devices for work that may go to a GPU at any time, however little there is of it.
gpu::device_plan plan(device_choice choice, std::optional<double> cpu_seconds, const char* work) {
  if (choice == device_choice::automatic && has_gpu_code && !auto_may_choose_gpu) {
    return {true,
            {},
            std::string("no GPU used: ") + work +
                " on GPUs is not checked to the end yet; --device gpu or cpu+gpu uses it all the same"};
  }
  return gpu::plan_devices(choice, has_gpu_code,
                           {.direct_bytes = std::numeric_limits<std::uint64_t>::max(),
                            .addressable_units = 1,
                            .cpu_seconds = cpu_seconds});
}

}  // namespace

svm_solution train_on(const svm_problem& problem, parallel& pool) {
  return problem.method == svm_method::blocked ? train_blocked(problem, pool) : train_by_pairs(problem, pool);
}

svm_devices::svm_devices(device_choice choice, bool strict, double least_seconds)
  : choice_(choice), strict_(strict) {
  if (choice == device_choice::automatic && least_seconds < 0.05) return;
  const gpu::device_plan found = plan(choice, std::nullopt, "training");
  if (!found.note.empty()) note(found.note);
  if (found.gpus.empty()) return;
  gpu_ = found.gpus.front();
  if (choice == device_choice::automatic) give_up_ = std::chrono::steady_clock::now() + gpu_start;
  if (choice == device_choice::cpu_gpu) note("the GPU trains alone: each step needs all that came before it");
}

void svm_devices::note(const std::string& sentence) { add_note(notes_, sentence); }

svm_solution svm_devices::train(const svm_problem& problem, parallel& pool) {
#if DUOMAP_HAS_CUDA
  if (gpu_) {
    if (choice_ == device_choice::automatic)
      note("the GPU took over after 0.25 s on the CPU, which is what starting it takes");
    try {
      // The bound is about host memory.
      svm_problem on_device = problem;
      on_device.cache_bytes = 0;
      return train_on_gpu(on_device, *gpu_);
    } catch (const out_of_memory& problem_of_device) {
      if (choice_ == device_choice::gpu) throw;
      note(std::string("trained on the CPU: ") + problem_of_device.what());
    } catch (const device_lost& problem_of_device) {
      if (choice_ == device_choice::gpu || strict_) throw;
      note(std::string("trained on the CPU: ") + problem_of_device.what());
      gpu_.reset();
    }
  }
#endif
  return train_on(problem, pool);
}

std::optional<int> gpu_for_classification(device_choice choice, double cpu_seconds, std::string& note) {
  const gpu::device_plan found = plan(choice, cpu_seconds, "classification");
  note = found.note;
  if (found.gpus.empty()) return std::nullopt;
  return found.gpus.front();
}

}  // namespace duomap
