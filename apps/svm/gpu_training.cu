#include "apps/svm/device_kernel.cuh"
#include "apps/svm/gpu_training.hpp"
#include "apps/svm/multipliers.hpp"
#include "apps/svm/smo_blocks.cuh"
#include "apps/svm/smo_pairs.cuh"
#include "core/error.hpp"
#include "core/run_control.hpp"
#include "gpu/runtime/buffer.cuh"
#include "gpu/runtime/check.cuh"
#include "gpu/runtime/device_limits.cuh"
#include "gpu/runtime/launch.cuh"
#include "gpu/runtime/launch_together.cuh"
#include "gpu/runtime/memory_limit.cuh"
#include "gpu/runtime/stream.cuh"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace duomap {
namespace gpu {
namespace {

constexpr unsigned threads = 256;

/// f of every point, from the multipliers of those that have one.
__global__ void sum_up(const float* kernel, std::uint64_t stride, const std::uint32_t* points,
                       const double* weights, std::uint32_t count, const signed char* labels,
                       std::uint32_t rows, double* f) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows) return;
  double sum = 0;
#pragma unroll 8
  for (std::uint32_t k = 0; k < count; ++k)
    sum += weights[k] * static_cast<double>(kernel[points[k] * stride + i]);
  f[i] = sum - labels[i];
}

stream stream_of(int device) {
  check(cudaSetDevice(device), [&] { return "using GPU " + std::to_string(device); });
  return {};
}

class trainer {
 public:
  trainer(const svm_problem& problem, int device)
    : problem_(problem),
      on_(stream_of(device)),
      has_(device_limits::current()),
      rows_(problem.rows.rows),
      kernel_(problem.rows, problem.kernel, on_),
      matrix_(rows_ * kernel_.stride() * sizeof(float), on_),
      labels_(rows_, on_),
      alpha_(rows_ * sizeof(double), on_),
      f_(rows_ * sizeof(double), on_),
      slots_(4 * most_blocks * sizeof(smo_candidate), on_),
      arrived_(sizeof(unsigned), on_),
      outcome_(sizeof(smo_outcome)),
      offers_(4 * most_blocks * sizeof(unsigned long long), on_),
      between_(most_set * most_set * sizeof(float), on_),
      taken_(rows_ * sizeof(std::uint32_t), on_),
      changed_(most_set * sizeof(std::uint32_t), on_),
      change_(most_set * sizeof(double), on_),
      changes_(sizeof(unsigned), on_),
      steps_(sizeof(unsigned long long), on_),
      all_(problem) {
    copy(labels_, problem.labels.data());
    copy(f_, all_.f.data());
    clear(alpha_);
    kernel_.expect(rows_);
    kernel_.compute(0, rows_, matrix_.as<float>());
  }

  svm_solution train() {
    const std::uint64_t most = most_iterations_of(problem_);
    std::uint64_t rounds = 0;
    std::uint64_t iterations = 0;
    for (std::uint64_t before = 0;; before = iterations) {
      for (;;) {
        const std::uint64_t slice = std::min(most - iterations, steps_of_launch);
        const smo_outcome ended = run(slice);
        iterations += ended.iterations;
        rounds += ended.rounds;
        if (problem_.control != nullptr && problem_.control->cancelled.load(std::memory_order_relaxed))
          throw interrupted();
        if (!(ended.gap >= problem_.epsilon) || ended.iterations == 0 || iterations >= most) break;
      }
      renew_f();
      // Of kernel values that are no numbers no step is left.
      if (bounds_of(all_).gap() < problem_.epsilon || iterations == before || iterations >= most) break;
    }
    svm_solution found = solution_of(all_, problem_.epsilon);
    found.iterations = iterations;
    found.rounds = rounds;
    return found;
  }

 private:
  static constexpr unsigned most_blocks = 1024;
  static constexpr std::uint64_t most_set = 256;
  static constexpr std::uint64_t steps_of_launch = 1 << 15;

  void copy(const device_buffer& to, const void* from) const {
    check(cudaMemcpyAsync(to.as<void>(), from, to.size(), cudaMemcpyHostToDevice, on_.get()),
          "copying a training problem to the device");
  }
  void clear(const device_buffer& what) const {
    check(cudaMemsetAsync(what.as<void>(), 0, what.size(), on_.get()), "clearing device memory");
  }

  smo_outcome run(std::uint64_t most);
  void renew_f();

  template <bool SecondOrder>
  void queue_pairs(const smo_arguments& arguments) const;
  void queue_blocks(const smo_arguments& arguments) const;

  const svm_problem& problem_;
  stream on_;
  device_limits has_;
  std::uint64_t rows_;
  device_kernel kernel_;
  device_buffer matrix_;
  device_buffer labels_;
  device_buffer alpha_;
  device_buffer f_;
  device_buffer slots_;
  device_buffer arrived_;
  pinned_buffer outcome_;
  device_buffer offers_;
  device_buffer between_;
  device_buffer taken_;
  device_buffer changed_;
  device_buffer change_;
  device_buffer changes_;
  device_buffer steps_;
  multipliers all_;
};

smo_outcome trainer::run(std::uint64_t most) {
  clear(arrived_);
  const smo_arguments arguments{matrix_.as<float>(),
                                kernel_.stride(),
                                kernel_.diagonal(),
                                labels_.as<signed char>(),
                                alpha_.as<double>(),
                                f_.as<double>(),
                                static_cast<std::uint32_t>(rows_),
                                problem_.positive_c,
                                problem_.negative_c,
                                problem_.epsilon * (1 - 1e-6),  // than which keys are finer
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

template <bool SecondOrder>
void trainer::queue_pairs(const smo_arguments& arguments) const {
  // A thread with 8 points is a tenth slower than one with a single one, when both have room (H200).
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
  constexpr unsigned set = 192;
  constexpr std::uint64_t kernel_bytes = set * set * sizeof(float);
  clear(taken_);
  clear(steps_);
  const smo_blocks_scratch scratch{
      offers_.as<unsigned long long>(),
      between_.as<float>(),
      taken_.as<std::uint32_t>(),
      {changed_.as<std::uint32_t>(), change_.as<double>(), changes_.as<unsigned>()},
      steps_.as<unsigned long long>(),
      {0.3, 4 * set}};
  const unsigned blocks = std::clamp(has_.multiprocessors, set / 4, smo_most_blocks);
  if (allow_all_shared_memory(smo_blocks_kernel<set, true>, has_) >= kernel_bytes) {
    launch_together(smo_blocks_kernel<set, true>, {blocks, smo_blocks_threads, kernel_bytes, on_.get()},
                    arguments, scratch);
  } else {
    launch_together(smo_blocks_kernel<set, false>, {blocks, smo_blocks_threads, 0, on_.get()}, arguments,
                    scratch);
  }
}

void trainer::renew_f() {
  std::vector<double> alpha(rows_);
  check(cudaMemcpyAsync(alpha.data(), alpha_.as<void>(), alpha_.size(), cudaMemcpyDeviceToHost, on_.get()),
        "copying multipliers");
  on_.wait();
  std::vector<std::uint32_t> points;
  std::vector<double> weights;
  for (std::uint32_t i = 0; i < rows_; ++i) {
    all_.of_row[i].alpha = alpha[i];
    if (alpha[i] == 0) continue;
    points.push_back(i);
    weights.push_back(problem_.labels[i] > 0 ? alpha[i] : -alpha[i]);
  }
  const device_buffer device_points(points.size() * sizeof(std::uint32_t), on_);
  const device_buffer device_weights(weights.size() * sizeof(double), on_);
  if (!points.empty()) {
    copy(device_points, points.data());
    copy(device_weights, weights.data());
  }
  launch(sum_up, {static_cast<unsigned>((rows_ + threads - 1) / threads), threads, 0, on_.get()},
         matrix_.as<float>(), kernel_.stride(), device_points.as<std::uint32_t>(),
         device_weights.as<double>(), static_cast<std::uint32_t>(points.size()), labels_.as<signed char>(),
         static_cast<std::uint32_t>(rows_), f_.as<double>());
  check(cudaMemcpyAsync(all_.f.data(), f_.as<void>(), f_.size(), cudaMemcpyDeviceToHost, on_.get()),
        "copying the gradient");
  on_.wait();
}

}  // namespace
}  // namespace gpu

std::uint64_t gpu_training_bytes(const svm_problem& problem) {
  const svm_rows& rows = problem.rows;
  const std::uint64_t stride = (rows.rows + 31) / 32 * 32;
  // Of values twice as many in float64 where they are needed, and panels of products.
  const std::uint64_t of_rows = rows.rows * rows.columns * 3 + 8 * 4096 / 4 * stride;
  return (rows.rows * stride + of_rows) * sizeof(float);
}

svm_solution train_on_gpu(const svm_problem& problem, int device) {
  gpu::check(cudaSetDevice(device), [&] { return "using GPU " + std::to_string(device); });
  const std::uint64_t needed = gpu_training_bytes(problem);
  const std::uint64_t most = gpu::memory_limit(0);
  if (needed > most || problem.rows.rows > std::numeric_limits<std::uint32_t>::max() - 1) {
    throw out_of_memory("training on a GPU keeps the whole kernel matrix there: " + std::to_string(needed) +
                        " bytes for " + std::to_string(problem.rows.rows) + " rows, of which " +
                        std::to_string(most) + " are free");
  }
  return gpu::trainer(problem, device).train();
}

}  // namespace duomap
