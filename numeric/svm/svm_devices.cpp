// Chooses between CPU and GPU for training and classification, and starts a GPU beside the CPU.
#include "numeric/svm/svm_devices.hpp"

#include "core/add_note.hpp"
#include "core/error.hpp"
#include "core/run_control.hpp"
#include "core/seconds_text.hpp"
#include "gpu/device/device.hpp"
#include "gpu/device/gpu_state.hpp"
#include "gpu/device/provider.hpp"
#include "numeric/svm/blocked_training.hpp"
#include "numeric/svm/gpu_training.hpp"
#include "numeric/svm/pair_training.hpp"
#include "scheduler/iterative/step_log.hpp"
#include "scheduler/planner/device_plan.hpp"

#include <limits>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace duomap {
namespace {

constexpr bool has_gpu_code = DUOMAP_HAS_CUDA;

// The time that an H200 takes to start. A cold start makes a context and loads the first kernel. A warm start
// allocates memory and computes the kernel matrix of 20,000 rows.
constexpr std::chrono::milliseconds cold_start{250};
constexpr std::chrono::milliseconds warm_start{20};

/// The GPUs to which work may move at any time, even when little of the work is left.
struct found_gpus {
  std::vector<int> indices;
  std::string note;
};

found_gpus find_gpus(device_choice choice, std::span<const int> only, double cpu_seconds) {
  const scheduler::device_offer gpus{&gpu::provider(), has_gpu_code};
  const scheduler::device_plan plan =
      scheduler::plan_devices(choice, std::span(&gpus, 1),
                              {.direct_bytes = std::numeric_limits<std::uint64_t>::max(),
                               .addressable_units = 1,
                               .pool_seconds = cpu_seconds,
                               .started = gpu::any_context(),
                               .gpus = only});
  found_gpus found{{}, plan.note};
  for (const scheduler::planned_device& one : plan.devices) found.indices.push_back(one.device.is->index);
  return found;
}

}  // namespace

svm_solution train_on(const svm_problem& problem, worker_pool& pool) {
  return problem.method == svm_method::blocked ? train_blocked(problem, pool) : train_by_pairs(problem, pool);
}

double estimate_kernel_seconds(const svm_rows& vectors, std::uint64_t rows) {
  // Seconds for a number of a row, and for an exponential with its sums (EPYC, AVX-512).
  const double of_number = vectors.is_sparse() ? 0.08e-9 : 0.016e-9, of_value = 0.7e-9;
  const auto numbers = static_cast<double>(vectors.entries());
  return static_cast<double>(rows) * (numbers * of_number + static_cast<double>(vectors.rows) * of_value);
}

svm_devices::svm_devices(const run_options& options, double expected_seconds, unsigned workers,
                         scheduler::step_log* log)
  : choice_(options.device), gpus_(options.gpus), strict_(options.strict), workers_(workers), log_(log) {
  if (choice_ == device_choice::cpu) return;
  if (choice_ == device_choice::automatic) {
    const std::chrono::milliseconds start = gpu::any_context() ? warm_start : cold_start;
    const bool is_long = expected_seconds > 2 * std::chrono::duration<double>(start).count();
    start_at_ = is_long ? begin_ : begin_ + start;
    return;
  }
  const found_gpus found = find_gpus(choice_, gpus_, 0);
  note(found.note);
  if (choice_ == device_choice::gpu) {
    gpu_ = found.indices.front();
  } else {
    start_gpu(found.indices);
  }
}

/// Starts a GPU of `candidates`; if there are none, looks for GPUs first.
void svm_devices::start_gpu(std::vector<int> candidates) {
  start_at_ = clock::time_point::max();
  auto start = [candidates = std::move(candidates), only = gpus_, strict = strict_]() mutable -> started_gpu {
    if (candidates.empty()) {
      found_gpus found = find_gpus(device_choice::automatic, only, std::numeric_limits<double>::infinity());
      if (found.indices.empty()) return {std::nullopt, std::move(found.note)};
      candidates = std::move(found.indices);
    }
    const double begin = scheduler::steady_seconds();
    try {
      // Asking for the free memory makes a context, which is most of the start.
      static_cast<void>(gpu::read_memory(candidates.front()));
    } catch (const error& problem) {
      if (strict) throw;
      return {std::nullopt, std::string("no GPU used: ") + problem.what()};
    }
    return {candidates.front(), {}, begin, scheduler::steady_seconds() - begin};
  };
  try {
    starting_ = std::async(std::launch::async, std::move(start));
  } catch (const std::system_error& none_left) {
    const std::string why = std::string("the system started no thread for a GPU (") + none_left.what() + ")";
    if (strict_) throw device_unavailable(why);
    add_note(notes_, "no GPU used: " + why);
  }
}

/// The caller must hold the mutex.
void svm_devices::log_start(const started_gpu& started) {
  const std::string name = name_of(*started.index);
  devices_.push_back({.name = name, .start_seconds = started.seconds, .kind = executor_kind::device});
  if (log_ != nullptr) log_->lane(name, "start").add(started.begin, started.begin + started.seconds);
  cpu_alone_seconds_ = std::chrono::duration<double>(clock::now() - begin_).count();
}

bool svm_devices::gpu_takes_over() {
  if (choice_ == device_choice::cpu) return false;
  const std::scoped_lock lock(mutex_);
  if (gpu_) return true;
  if (!starting_.valid()) {
    if (clock::now() < start_at_) return false;
    start_gpu({});
    if (!starting_.valid()) return false;
  }
  if (starting_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return false;
  const started_gpu started = starting_.get();
  gpu_ = started.index;
  add_note(notes_, started.note);
  if (gpu_) {
    log_start(started);
    add_note(notes_, "GPU " + std::to_string(*gpu_) + " went on from what the CPU had reached after " +
                         seconds_text(std::chrono::duration<double>(clock::now() - begin_).count()) +
                         "; it works alone, since each step needs all that came before it");
  }
  return gpu_.has_value();
}

void svm_devices::note(const std::string& sentence) {
  const std::scoped_lock lock(mutex_);
  add_note(notes_, sentence);
}

void count_rounds(const svm_problem& problem, std::uint64_t rounds, bool on_gpu) {
  if (problem.counts_rounds == nullptr) return;
  const std::uint64_t bytes = rounds * problem.rows.bytes();
  if (on_gpu) problem.counts_rounds->gpu_units_done.fetch_add(bytes, std::memory_order_relaxed);
  problem.counts_rounds->units_done.fetch_add(bytes, std::memory_order_relaxed);
}

iterative_report svm_devices::report() const {
  const std::scoped_lock lock(mutex_);
  iterative_report all;
  if (cpu_begins() || cpu_.steps > 0) all.parts.push_back(cpu_);
  all.parts.insert(all.parts.end(), devices_.begin(), devices_.end());
  share_by_units(all.parts);
  for (const iterative_part& one : all.parts) {
    all.steps += one.steps;
    all.degraded = all.degraded || !one.trouble.empty();
  }
  if (has_gpu_code && choice_ == device_choice::automatic) {
    const double alone =
        devices_.empty() ? std::chrono::duration<double>(clock::now() - begin_).count() : cpu_alone_seconds_;
    all.account = {.start = std::chrono::duration<double>(cold_start).count(),
                   .pool = alone,
                   .started = !devices_.empty()};
  }
  all.notes = notes_;
  if (choice_ == device_choice::cpu_gpu && starting_.valid())
    add_note(all.notes, "the CPU was done before the GPU was ready");
  return all;
}

template <class Trainer>
svm_solution svm_devices::timed_here(const svm_problem& problem, worker_pool& pool, const Trainer& trainer) {
  const double begin = scheduler::steady_seconds();
  svm_solution found = trainer();
  const double seconds = scheduler::steady_seconds() - begin;
  const std::scoped_lock lock(mutex_);
  cpu_.busy_seconds += seconds * pool.workers() / workers_;
  cpu_.steps += found.rounds;
  cpu_.units += found.rounds * problem.rows.bytes();
  return found;
}

svm_solution svm_devices::train_on_pool(const svm_problem& problem, worker_pool& pool) {
  return timed_here(problem, pool, [&] { return train_on(problem, pool); });
}

svm_solution svm_devices::finish_exactly(const svm_problem& problem, const svm_rows_of<double>& rows,
                                         worker_pool& pool) {
  return timed_here(problem, pool, [&] { return train_exactly(problem, rows, pool); });
}

svm_solution svm_devices::train(const svm_problem& problem, worker_pool& pool) {
#if DUOMAP_HAS_CUDA
  std::optional<int> gpu;
  {
    const std::scoped_lock lock(mutex_);
    gpu = gpu_;
  }
  if (gpu) {
    if (devices_.empty()) {
      const double begin = scheduler::steady_seconds();
      static_cast<void>(gpu::read_memory(*gpu));
      const std::scoped_lock lock(mutex_);
      log_start({gpu, {}, begin, scheduler::steady_seconds() - begin});
    }
    iterative_part& part = devices_.back();
    try {
      gpu_training_limits limits;
      if (choice_ == device_choice::automatic)
        limits.stream_seconds = estimate_kernel_seconds(problem.rows, gpu_working_set) / pool.workers();
      const double begin = scheduler::steady_seconds();
      svm_solution found = train_on_gpu(problem, *gpu, limits);
      part.busy_seconds += scheduler::steady_seconds() - begin;
      part.steps += found.rounds;
      part.units += found.rounds * problem.rows.bytes();
      if (found.passes > 0)
        note("GPU " + std::to_string(*gpu) +
             " has too little memory for the rows, which stayed on the host and "
             "were brought there when they were needed");
      return found;
    } catch (const out_of_memory& problem_of_device) {
      if (choice_ == device_choice::gpu) throw;
      note(std::string("trained on the CPU: ") + problem_of_device.what());
    } catch (const device_lost& problem_of_device) {
      if (choice_ == device_choice::gpu || strict_) throw;
      note(std::string("trained on the CPU: ") + problem_of_device.what());
      part.trouble = problem_of_device.what();
      const std::scoped_lock lock(mutex_);
      gpu_.reset();
    }
  }
#endif
  return train_on_pool(problem, pool);
}

std::vector<int> gpus_for_classification(const run_options& options, double cpu_seconds, std::string& note) {
  found_gpus found = find_gpus(options.device, options.gpus, cpu_seconds);
  note = std::move(found.note);
  if (options.device == device_choice::automatic && found.indices.size() > 1) {
    const auto is_cold = [](int gpu) {
      return !gpu::state_of_gpu(gpu).has_context;
    };
    const int first = found.indices.front();
    std::erase_if(found.indices, is_cold);
    if (found.indices.empty()) found.indices.push_back(first);
  }
  return found.indices;
}

}  // namespace duomap
