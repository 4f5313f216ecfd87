#include "core/error.hpp"
#include "core/run_control.hpp"
#include "core/seconds_text.hpp"
#include "gpu/device/gpu_state.hpp"
#include "gpu/runtime/buffer.cuh"
#include "gpu/runtime/check.cuh"
#include "gpu/runtime/device_limits.cuh"
#include "gpu/runtime/launch.cuh"
#include "gpu/runtime/launch_together.cuh"
#include "gpu/runtime/memory_limit.cuh"
#include "gpu/runtime/stream.cuh"
#include "numeric/svm/device_kernel_rows.cuh"
#include "numeric/svm/gpu_training.hpp"
#include "numeric/svm/multipliers.hpp"
#include "numeric/svm/smo_blocks.cuh"
#include "numeric/svm/smo_pairs.cuh"
#include "scheduler/iterative/step_log.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <vector>

namespace duomap {
namespace gpu {
namespace {

constexpr unsigned threads = 256;
constexpr unsigned set_rows = gpu_working_set;

/// Adds the contributions of some multipliers to f of every point. The first launch begins with f = -y.
__global__ void sum_up(const float* kernel, std::uint64_t stride, const std::uint32_t* slots,
                       const double* weights, std::uint32_t count, const signed char* labels, bool first,
                       std::uint32_t rows, double* f) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows) return;
  double sum = first ? -static_cast<double>(labels[i]) : f[i];
#pragma unroll 8
  for (std::uint32_t k = 0; k < count; ++k)
    sum += weights[k] * static_cast<double>(kernel[slots[k] * stride + i]);
  f[i] = sum;
}

stream stream_of(int device) {
  use_gpu(device);
  state_of_gpu(device).has_context = true;
  return {};
}

device_limits within(device_limits has, const gpu_training_limits& limits) {
  if (limits.multiprocessors > 0) has.multiprocessors = std::min(has.multiprocessors, limits.multiprocessors);
  if (limits.shared_bytes > 0) has.shared_per_block = std::min(has.shared_per_block, limits.shared_bytes);
  return has;
}

/// The fewest kernel rows that the method needs in memory.
std::uint64_t least_slots(const svm_problem& problem) {
  return problem.method == svm_method::blocked ? 2 * set_rows : problem.rows.rows;
}

scheduler::step_lane* lane_of(const svm_problem& problem, int device, const std::string& of,
                              const char* what) {
  if (problem.log == nullptr) return nullptr;
  return &problem.log->lane("gpu " + std::to_string(device) + " " + of, what);
}

class trainer {
 public:
  trainer(const svm_problem& problem, int device, const gpu_training_limits& limits)
    : problem_(problem),
      log_(lane_of(problem, device, "kernels", "map")),
      on_(stream_of(device)),
      has_(within(device_limits::current(), limits)),
      rows_(problem.rows.rows),
      kernel_(problem, least_slots(problem), memory_limit(limits.memory_bytes), on_),
      labels_(rows_, on_),
      alpha_(rows_ * sizeof(double), on_),
      f_(rows_ * sizeof(double), on_),
      slots_(4 * most_blocks * sizeof(smo_candidate), on_),
      arrived_(sizeof(unsigned), on_),
      outcome_(sizeof(smo_outcome)),
      offers_(4 * smo_most_offers * sizeof(unsigned long long), on_),
      between_(set_rows * set_rows * sizeof(float), on_),
      taken_(rows_ * sizeof(std::uint32_t), on_),
      kept_(set_rows / 2 * sizeof(std::uint32_t), on_),
      members_(set_rows * sizeof(std::uint32_t), on_),
      changed_(set_rows * sizeof(std::uint32_t), on_),
      change_(set_rows * sizeof(double), on_),
      changes_(sizeof(unsigned), on_),
      steps_(sizeof(unsigned long long), on_),
      all_(problem) {
    static_assert(smo_no_index == 0xffffffffu);
    if (limits.stream_seconds > 0 && kernel_.seconds_to_stream() > limits.stream_seconds)
      throw out_of_memory("the rows do not fit into the memory of GPU " + std::to_string(device) +
                          ", and to bring them there once takes " +
                          seconds_text(kernel_.seconds_to_stream()) +
                          ", in which the CPU has done what would be done with them");
    clear(kept_, 0xff);
    clear(taken_);
    copy(labels_, problem.labels.data());
    if (problem.start.empty()) {
      clear(alpha_);
      copy(f_, all_.f.data());
      return;
    }
    copy(alpha_, problem.start.data());
    renew_f();
  }

  svm_solution train() {
    const std::uint64_t most = remaining_iterations(problem_);
    std::uint64_t iterations = 0;
    stagnation stagnant;
    bool closes = true;
    for (bool goes_on = true; goes_on;) {
      for (;;) {
        smo_outcome ended{};
        scheduler::timed(log_, [&] {
          ended = run(std::min(most - iterations, steps_of_launch));
          return ended.rounds * problem_.rows.bytes();
        });
        count_rounds(problem_, ended.rounds, true);
        iterations += ended.iterations;
        rounds_ += ended.rounds;
        stop_if_cancelled(problem_.control);
        if (ended.lacks_rows) {
          scheduler::timed(log_, [&] {
            kernel_.provide(members());
            return std::uint64_t{0};
          });
        } else if (!(ended.gap >= problem_.tolerance) || ended.iterations == 0 || iterations >= most) {
          break;
        } else if (stagnant.seen(ended.gap, iterations)) {
          closes = false;
          break;
        }
      }
      // Continues only after a change: steps with NaN or infinite kernel values may change nothing.
      const bool changed = renew_f();
      goes_on = changed && closes && bounds_of(all_).gap() >= problem_.tolerance && iterations < most &&
                std::ranges::all_of(all_.f, [](double f) { return std::isfinite(f); });
    }
    svm_solution found = solution_of(all_, problem_.tolerance);
    found.iterations = iterations;
    found.rounds = rounds_;
    found.passes = kernel_.passes();
    return found;
  }

 private:
  static constexpr unsigned most_blocks = 1024;
  static constexpr std::uint64_t steps_of_launch = 1 << 15;
  static constexpr std::uint64_t most_replaced = 4096;  // rows whose copies are in memory at once

  void copy(const device_buffer& to, const void* from) const {
    check(cudaMemcpyAsync(to.as<void>(), from, to.size(), cudaMemcpyHostToDevice, on_.get()),
          "copying a training problem to the device");
  }
  void clear(const device_buffer& what, int byte = 0) const {
    check(cudaMemsetAsync(what.as<void>(), byte, what.size(), on_.get()), "clearing device memory");
  }

  smo_outcome run(std::uint64_t most);
  bool renew_f();
  [[nodiscard]] std::vector<std::uint32_t> members() const;

  template <bool SecondOrder>
  void queue_pairs(const smo_arguments& arguments) const;
  void queue_blocks(const smo_arguments& arguments) const;

  const svm_problem& problem_;
  scheduler::step_lane* log_;  ///< may be null
  stream on_;
  device_limits has_;
  std::uint64_t rows_;
  device_kernel_rows kernel_;
  device_buffer labels_;
  device_buffer alpha_;
  device_buffer f_;
  device_buffer slots_;
  device_buffer arrived_;
  pinned_buffer outcome_;
  device_buffer offers_;
  device_buffer between_;
  device_buffer taken_;
  device_buffer kept_;
  device_buffer members_;
  device_buffer changed_;
  device_buffer change_;
  device_buffer changes_;
  device_buffer steps_;
  multipliers all_;
  std::uint64_t rounds_ = 0;
};

smo_outcome trainer::run(std::uint64_t most) {
  clear(arrived_);
  const smo_arguments arguments{kernel_.values(),
                                kernel_.stride(),
                                kernel_.slot_of(),
                                kernel_.diagonal(),
                                labels_.as<signed char>(),
                                alpha_.as<double>(),
                                f_.as<double>(),
                                static_cast<std::uint32_t>(rows_),
                                problem_.positive_c,
                                problem_.negative_c,
                                problem_.tolerance * (1 - 1e-6),  // keys are coarser than f
                                most,
                                slots_.as<smo_candidate>(),
                                arrived_.as<unsigned>(),
                                outcome_.as<smo_outcome>()};
  switch (problem_.method) {
    case svm_method::blocked:
      queue_blocks(arguments);
      break;
    case svm_method::first_order:
      queue_pairs<false>(arguments);
      break;
    case svm_method::second_order:
      queue_pairs<true>(arguments);
      break;
  }
  on_.wait();
  return *outcome_.as<smo_outcome>();
}

/// Returns the points of the working set whose kernel rows are missing.
std::vector<std::uint32_t> trainer::members() const {
  std::vector<std::uint32_t> points(set_rows);
  check(
      cudaMemcpyAsync(points.data(), members_.as<void>(), members_.size(), cudaMemcpyDeviceToHost, on_.get()),
      "copying a working set");
  on_.wait();
  std::erase(points, smo_no_index);
  return points;
}

template <bool SecondOrder>
void trainer::queue_pairs(const smo_arguments& arguments) const {
  // With 8 points in each thread, a kernel is a tenth slower than with one point (H200). It is used only if
  // one point for each thread is too little.
  constexpr std::uint64_t several = 8;
  const std::uint64_t blocks = (rows_ + smo_threads - 1) / smo_threads;
  if (blocks <= has_.multiprocessors) {
    launch_together(smo_pairs_kernel<SecondOrder, 1>,
                    {static_cast<unsigned>(blocks), smo_threads, 0, on_.get()}, arguments);
  } else if (blocks <= several * has_.multiprocessors) {
    launch_together(smo_pairs_kernel<SecondOrder, several>,
                    {static_cast<unsigned>((blocks + several - 1) / several), smo_threads, 0, on_.get()},
                    arguments);
  } else {
    throw out_of_memory(
        "a GPU's registers hold at most " + std::to_string(several * has_.multiprocessors * smo_threads) +
        " rows of a training problem, of which there are " + std::to_string(rows_) + "; train in blocks");
  }
}

void trainer::queue_blocks(const smo_arguments& arguments) const {
  constexpr std::uint64_t kernel_bytes = std::uint64_t{set_rows} * set_rows * sizeof(float);
  clear(steps_);
  const unsigned blocks = std::clamp(has_.multiprocessors, 1u, smo_most_offers);
  unsigned parts = 1;
  while (blocks * parts < set_rows / 4 && parts < smo_most_parts) parts *= 2;
  const smo_blocks_scratch scratch{
      offers_.as<unsigned long long>(),
      parts,
      rounds_,
      between_.as<float>(),
      taken_.as<std::uint32_t>(),
      kept_.as<std::uint32_t>(),
      members_.as<std::uint32_t>(),
      {changed_.as<std::uint32_t>(), change_.as<double>(), changes_.as<unsigned>()},
      steps_.as<unsigned long long>(),
      {0.3, 4 * set_rows}};
  // One block for each multiprocessor: the launch bounds limit registers so that one block always fits.
  if (allow_all_shared_memory(smo_blocks_kernel<set_rows, true>, has_) >= kernel_bytes) {
    launch_together(smo_blocks_kernel<set_rows, true>, {blocks, smo_blocks_threads, kernel_bytes, on_.get()},
                    arguments, scratch);
  } else {
    launch_together(smo_blocks_kernel<set_rows, false>, {blocks, smo_blocks_threads, 0, on_.get()}, arguments,
                    scratch);
  }
}

/// Copies the multipliers to the host, and computes f anew from them on the device. Returns whether the
/// multipliers have changed since the last call.
bool trainer::renew_f() {
  std::vector<double> alpha(rows_);
  check(cudaMemcpyAsync(alpha.data(), alpha_.as<void>(), alpha_.size(), cudaMemcpyDeviceToHost, on_.get()),
        "copying multipliers");
  on_.wait();
  std::vector<std::uint32_t> points;
  std::vector<double> weights;
  bool changed = false;
  for (std::uint32_t i = 0; i < rows_; ++i) {
    changed = changed || all_.of_row[i].alpha != alpha[i];
    all_.of_row[i].alpha = alpha[i];
    if (alpha[i] == 0) continue;
    points.push_back(i);
    weights.push_back(problem_.labels[i] > 0 ? alpha[i] : -alpha[i]);
  }
  const device_buffer device_slots(points.size() * sizeof(std::uint32_t), on_);
  const device_buffer device_weights(weights.size() * sizeof(double), on_);
  if (!points.empty()) copy(device_weights, weights.data());
  std::vector<std::uint32_t> slots = points;
  if (!kernel_.holds_all()) std::iota(slots.begin(), slots.end(), 0u);
  if (!points.empty()) copy(device_slots, slots.data());
  std::uint64_t done = 0;
  do {
    std::uint64_t count = points.size();
    if (!kernel_.holds_all()) {
      count = std::min({count - done, kernel_.slots(), most_replaced});
      kernel_.replace_all(std::span(points).subspan(done, count));
    }
    launch(sum_up, {static_cast<unsigned>((rows_ + threads - 1) / threads), threads, 0, on_.get()},
           kernel_.values(), kernel_.stride(), device_slots.as<std::uint32_t>(),
           device_weights.as<double>() + done, static_cast<std::uint32_t>(count), labels_.as<signed char>(),
           done == 0, static_cast<std::uint32_t>(rows_), f_.as<double>());
    done += count;
  } while (done < points.size());
  check(cudaMemcpyAsync(all_.f.data(), f_.as<void>(), f_.size(), cudaMemcpyDeviceToHost, on_.get()),
        "copying the gradient");
  on_.wait();
  return changed;
}

}  // namespace
}  // namespace gpu

svm_solution train_on_gpu(const svm_problem& problem, int device, const gpu_training_limits& limits) {
  const double begin = scheduler::steady_seconds();
  gpu::trainer trainer(problem, device, limits);
  if (scheduler::step_lane* const copies = gpu::lane_of(problem, device, "copies", "copy"))
    copies->add(begin, scheduler::steady_seconds(), problem.rows.bytes());
  return trainer.train();
}

}  // namespace duomap
