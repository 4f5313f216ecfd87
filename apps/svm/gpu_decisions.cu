#include "apps/svm/device_kernel.cuh"
#include "apps/svm/gpu_decisions.hpp"
#include "core/error.hpp"
#include "gpu/device/in_process.hpp"
#include "gpu/runtime/buffer.cuh"
#include "gpu/runtime/check.cuh"
#include "gpu/runtime/launch.cuh"
#include "gpu/runtime/stream.cuh"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace duomap {
namespace gpu {
namespace {

constexpr unsigned threads = 256;

/// The reduction: `Sums` sums of one class (blockIdx.y) of one row (blockIdx.x), from sum `first` on.
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
  check(cudaSetDevice(device), [&] { return "using GPU " + std::to_string(device); });
  in_process(device).has_context = true;
  keep_released_device_memory();
  return {};
}

svm_rows slice_of(const svm_rows& rows, std::uint64_t first, std::uint64_t count,
                  std::vector<std::uint64_t>& row_start) {
  svm_rows part{.rows = count, .columns = rows.columns};
  if (!rows.is_sparse()) {
    part.dense = rows.dense.subspan(first * rows.columns, count * rows.columns);
    return part;
  }
  const std::uint64_t begin = rows.row_start[first];
  const std::uint64_t end = rows.row_start[first + count];
  row_start.assign(rows.row_start.begin() + static_cast<std::ptrdiff_t>(first),
                   rows.row_start.begin() + static_cast<std::ptrdiff_t>(first + count + 1));
  for (std::uint64_t& start : row_start) start -= begin;
  part.row_start = row_start;
  part.column_of = rows.column_of.subspan(begin, end - begin);
  part.values = rows.values.subspan(begin, end - begin);
  return part;
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
              std::span<const double> weights, std::uint64_t sums_of_class, int device)
    : device_(device),
      classes_(static_cast<unsigned>(class_starts.size() - 1)),
      sums_of_class_(static_cast<unsigned>(sums_of_class)),
      on_(gpu::stream_of(device)),
      vectors_(vectors, kernel, on_) {
    const std::vector<std::uint64_t> starts(class_starts.begin(), class_starts.end());
    const std::vector<float> values(weights.begin(), weights.end());
    class_starts_ = gpu::copied(starts, on_);
    weights_ = gpu::copied(values, on_);
    on_.wait();
  }

  [[nodiscard]] std::uint64_t rows_at_once() const noexcept {
    // Tiles of products of about 128 MiB: smaller ones are slower, larger ones hardly faster (H200).
    return std::clamp<std::uint64_t>(
        (std::uint64_t{32} << 20) / std::max<std::uint64_t>(1, vectors_.stride()), 512, 65536);
  }

  void compute(const svm_rows& rows, double* sums) {
    gpu::check(cudaSetDevice(device_), "using the GPU of a model");
    vectors_.expect(rows.rows);
    const std::uint64_t of_row = std::uint64_t{classes_} * sums_of_class_;
    const std::uint64_t at_once = std::min(rows.rows, rows_at_once());
    const auto make_room = [&](gpu::device_buffer& of, std::uint64_t bytes) {
      if (of.size() < bytes) of = gpu::device_buffer(bytes, on_);
    };
    make_room(tile_, at_once * vectors_.stride() * sizeof(float));
    make_room(found_, at_once * of_row * sizeof(double));
    for (std::uint64_t first = 0; first < rows.rows; first += at_once) {
      const std::uint64_t count = std::min(at_once, rows.rows - first);
      std::vector<std::uint64_t> row_start;
      const gpu::device_kernel part(gpu::slice_of(rows, first, count, row_start), vectors_);
      vectors_.compute_others(part, 0, count, tile_.as<float>());
      for (unsigned from = 0; from < sums_of_class_;) {
        const unsigned left = sums_of_class_ - from;
        const auto add = [&](auto kernel) {
          gpu::launch(kernel, {dim3(static_cast<unsigned>(count), classes_), gpu::threads, 0, on_.get()},
                      tile_.as<float>(), vectors_.stride(), class_starts_.as<std::uint64_t>(),
                      weights_.as<float>(), vectors_.rows(), from, sums_of_class_, found_.as<double>());
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
  int device_;
  unsigned classes_;
  unsigned sums_of_class_;
  gpu::stream on_;
  gpu::device_kernel vectors_;
  gpu::device_buffer class_starts_;
  gpu::device_buffer weights_;
  gpu::device_buffer tile_;
  gpu::device_buffer found_;
};

gpu_decisions::gpu_decisions(const svm_rows& vectors, const svm_kernel& kernel,
                             std::span<const std::uint64_t> class_starts, std::span<const double> weights,
                             std::uint64_t sums_of_class, int device)
  : on_device_(std::make_unique<device_part>(vectors, kernel, class_starts, weights, sums_of_class, device)) {
}

gpu_decisions::~gpu_decisions() = default;

std::uint64_t gpu_decisions::rows_at_once() const noexcept { return on_device_->rows_at_once(); }

void gpu_decisions::compute(const svm_rows& rows, double* sums) { on_device_->compute(rows, sums); }

}  // namespace duomap
