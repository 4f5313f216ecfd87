#include "core/error.hpp"
#include "gpu/device/gpu_state.hpp"
#include "gpu/runtime/buffer.cuh"
#include "gpu/runtime/check.cuh"
#include "gpu/runtime/launch.cuh"
#include "gpu/runtime/memory_limit.cuh"
#include "gpu/runtime/stream.cuh"
#include "numeric/svm/device_kernel.cuh"
#include "numeric/svm/device_points.cuh"
#include "numeric/svm/device_row_form.hpp"
#include "numeric/svm/device_rows.cuh"
#include "numeric/svm/gpu_decisions.hpp"
#include "numeric/svm/kernel_rows.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace duomap {
namespace gpu {
namespace {

constexpr unsigned threads = 256;

/// Computes `Sums` weighted sums of one class (blockIdx.y) for one row (blockIdx.x), from sum `first` on.
template <unsigned Sums>
__global__ void __launch_bounds__(threads)
    add_weighted(const float* kernel, std::uint64_t stride, const std::uint64_t* class_starts,
                 const float* weights, std::uint64_t vectors, unsigned first, unsigned sums_of_class,
                 double* sums) {
  const float* const row = kernel + blockIdx.x * stride;
  double sum[Sums] = {};
  for (std::uint64_t v = class_starts[blockIdx.y] + threadIdx.x; v < class_starts[blockIdx.y + 1];
       v += threads) {
    const auto value = static_cast<double>(row[v]);
#pragma unroll
    for (unsigned w = 0; w < Sums; ++w) {
      if (first + w < sums_of_class)
        sum[w] += value * static_cast<double>(weights[(first + w) * vectors + v]);
    }
  }
  __shared__ double of_warp[Sums][threads / 32];
#pragma unroll
  for (unsigned w = 0; w < Sums; ++w) {
    for (unsigned step = 16; step > 0; step /= 2)
      sum[w] += __shfl_xor_sync(0xffffffffu, sum[w], static_cast<int>(step));
    if (threadIdx.x % 32 == 0) of_warp[w][threadIdx.x / 32] = sum[w];
  }
  __syncthreads();
  if (threadIdx.x >= Sums || first + threadIdx.x >= sums_of_class) return;
  double all = 0;
  for (unsigned warp = 0; warp < threads / 32; ++warp) all += of_warp[threadIdx.x][warp];
  sums[(blockIdx.x * std::uint64_t{gridDim.y} + blockIdx.y) * sums_of_class + first + threadIdx.x] = all;
}

stream stream_of(int device) {
  use_gpu(device);
  state_of_gpu(device).has_context = true;
  keep_released_device_memory();
  return {};
}

template <class T>
device_buffer copied(const std::vector<T>& from, const stream& on) {
  device_buffer to(from.size() * sizeof(T), on);
  if (!from.empty()) {
    check(cudaMemcpyAsync(to.template as<void>(), from.data(), to.size(), cudaMemcpyHostToDevice, on.get()),
          "copying a model to the device");
  }
  return to;
}

}  // namespace
}  // namespace gpu

class gpu_decisions::device_part {
 public:
  device_part(const svm_rows& vectors, const svm_kernel& kernel, std::span<const std::uint64_t> class_starts,
              std::span<const double> weights, std::uint64_t sums_of_class, int device,
              std::uint64_t memory_bytes)
    : device_(device),
      classes_(static_cast<unsigned>(class_starts.size() - 1)),
      sums_of_class_(static_cast<unsigned>(sums_of_class)),
      kernel_of_(kernel),
      dense_columns_(gpu::device_row_form::of(vectors).sparse ? 0 : vectors.columns),
      stride_(gpu::device_kernel::stride_of(vectors.rows)),
      vectors_count_(vectors.rows),
      on_(gpu::stream_of(device)),
      limit_(gpu::memory_limit(memory_bytes)),
      plan_(vectors, 64 * of_row(), limit_, "classification on a GPU"),
      rows_at_once_(fitting_rows()),
      vectors_(vectors, kernel, plan_, on_),
      kernel_(kernel, vectors_.form(), vectors.columns, plan_.product_bytes, 0, on_) {
    const std::vector<std::uint64_t> starts(class_starts.begin(), class_starts.end());
    const std::vector<float> values(weights.begin(), weights.end());
    class_starts_ = gpu::copied(starts, on_);
    weights_ = gpu::copied(values, on_);
    on_.wait();
  }

  [[nodiscard]] std::uint64_t rows_at_once() const noexcept { return rows_at_once_; }
  [[nodiscard]] bool streams() const noexcept { return plan_.streams(); }

  void compute(const svm_rows& rows, double* sums) {
    gpu::use_gpu(device_);
    kernel_.expect(static_cast<double>(rows.rows) * static_cast<double>(vectors_count_));
    const std::uint64_t of_row = std::uint64_t{classes_} * sums_of_class_;
    const std::uint64_t at_once = std::min(rows.rows, rows_at_once_);
    const auto make_room = [&](gpu::device_buffer& of, std::uint64_t bytes) {
      if (of.size() < bytes) of = gpu::device_buffer(bytes, on_);
    };
    make_room(tile_, at_once * stride_ * sizeof(float));
    make_room(found_, at_once * of_row * sizeof(double));
    for (std::uint64_t first = 0; first < rows.rows; first += at_once) {
      const std::uint64_t count = std::min(at_once, rows.rows - first);
      const gpu::device_rows part(slice(rows, first, count), kernel_of_, vectors_.form(), on_);
      vectors_.for_each_panel([&](const gpu::device_rows& panel, std::uint64_t vector) {
        kernel_.compute(part, 0, count, panel, tile_.as<float>() + vector, stride_);
      });
      for (unsigned from = 0; from < sums_of_class_;) {
        const unsigned left = sums_of_class_ - from;
        const auto add = [&](auto kernel) {
          gpu::launch(kernel, {dim3(static_cast<unsigned>(count), classes_), gpu::threads, 0, on_.get()},
                      tile_.as<float>(), stride_, class_starts_.as<std::uint64_t>(), weights_.as<float>(),
                      vectors_count_, from, sums_of_class_, found_.as<double>());
        };
        if (left == 1) {
          add(gpu::add_weighted<1>);
          from += 1;
        } else {
          add(gpu::add_weighted<8>);
          from += 8;
        }
      }
      gpu::check(cudaMemcpyAsync(sums + first * of_row, found_.as<void>(), count * of_row * sizeof(double),
                                 cudaMemcpyDeviceToHost, on_.get()),
                 "copying decision values");
      on_.wait();
    }
  }

 private:
  /// Bytes of a row and of its kernel values.
  [[nodiscard]] std::uint64_t of_row() const noexcept {
    return stride_ * sizeof(float) + dense_columns_ * (sizeof(float) + sizeof(double));
  }
  [[nodiscard]] std::uint64_t fitting_rows() const noexcept {
    // A tile has about 128 MiB of products. Smaller tiles are slower, larger ones hardly faster (H200).
    // Vectors on the host are copied to the device once for each tile.
    const std::uint64_t best =
        plan_.streams() ? 65536 : (std::uint64_t{32} << 20) / std::max<std::uint64_t>(1, stride_);
    const std::uint64_t room = (limit_ - plan_.bytes) / std::max<std::uint64_t>(1, of_row());
    return std::min(room, std::clamp<std::uint64_t>(best, 512, 65536));
  }

  int device_;
  unsigned classes_;
  unsigned sums_of_class_;
  svm_kernel kernel_of_;
  std::uint64_t dense_columns_;
  std::uint64_t stride_;
  std::uint64_t vectors_count_;
  gpu::stream on_;
  std::uint64_t limit_;
  gpu::point_plan plan_;
  std::uint64_t rows_at_once_;
  gpu::device_points vectors_;
  gpu::device_kernel kernel_;
  gpu::device_buffer class_starts_;
  gpu::device_buffer weights_;
  gpu::device_buffer tile_;
  gpu::device_buffer found_;
};

gpu_decisions::gpu_decisions(const svm_rows& vectors, const svm_kernel& kernel,
                             std::span<const std::uint64_t> class_starts, std::span<const double> weights,
                             std::uint64_t sums_of_class, int device, std::uint64_t memory_bytes)
  : on_device_(std::make_unique<device_part>(vectors, kernel, class_starts, weights, sums_of_class, device,
                                             memory_bytes)) {}

gpu_decisions::~gpu_decisions() = default;

std::uint64_t gpu_decisions::rows_at_once() const noexcept { return on_device_->rows_at_once(); }

bool gpu_decisions::streams() const noexcept { return on_device_->streams(); }

void gpu_decisions::compute(const svm_rows& rows, double* sums) { on_device_->compute(rows, sums); }

}  // namespace duomap
