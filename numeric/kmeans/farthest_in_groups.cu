// Makes the GPU code that finds the largest squared distance in each group of rows.
#include "core/partial/dense.hpp"
#include "gpu/runtime/buffer.cuh"
#include "gpu/runtime/check.cuh"
#include "gpu/runtime/launch.cuh"
#include "gpu/runtime/wait_at_most.cuh"
#include "numeric/kmeans/farthest_in_groups.hpp"
#include "numeric/kmeans/lloyd_loop.cuh"

#include <algorithm>
#include <optional>

namespace duomap::gpu {
namespace {

constexpr unsigned threads_of_block = 128;
// The number of points labelled at a time. Labels need memory, beside points that may fill the device.
constexpr std::uint64_t points_at_once = 1 << 20;

/// Each block of threads takes one group of rows. `a` has the points from `first_row` on. A warp reads 32
/// rows together. Then each lane adds up one row in the order of the dimensions, without fused multiply-adds,
/// exactly as the CPU does.
__global__ void __launch_bounds__(threads_of_block)
    farthest_kernel(const lloyd_arguments a, std::uint64_t first_row, std::uint64_t rows_of_group,
                    long long* farthest) {
  __shared__ double squares[threads_of_block / 32][32][33];  // the 33rd column puts lanes on different banks
  __shared__ long long of_block;
  if (threadIdx.x == 0) of_block = 0;
  __syncthreads();
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const std::uint64_t group = first_row / rows_of_group + blockIdx.x;
  const std::uint64_t begin = max(first_row, group * rows_of_group) - first_row;
  const std::uint64_t end = min(first_row + a.count, (group + 1) * rows_of_group) - first_row;
  double largest = 0;
  for (std::uint64_t first = begin + 32 * warp; first < end; first += threads_of_block) {
    const auto rows = static_cast<unsigned>(min(end - first, std::uint64_t{32}));
    const std::uint32_t nearest = lane < rows ? a.labels[first + lane] : 0;
    double square = 0;
    for (std::uint32_t slab = 0; slab < a.dimensions; slab += 32) {
      const std::uint32_t d = slab + lane;
      const float shift = d < a.dimensions ? a.shift[d] : 0.f;
#pragma unroll 8
      for (unsigned r = 0; r < rows; ++r) {
        const std::uint64_t centre = __shfl_sync(~0u, nearest, r);
        if (d >= a.dimensions) continue;
        const double difference =
            __dadd_rn(static_cast<double>(a.points[(first + r) * a.dimensions + d] - shift),
                      static_cast<double>(a.negative_centres[centre * a.dimensions + d]));
        squares[warp][r][lane] = __dmul_rn(difference, difference);
      }
      __syncwarp();
      const std::uint32_t here = min(a.dimensions - slab, 32u);
      for (std::uint32_t i = 0; lane < rows && i < here; ++i)
        square = __dadd_rn(square, squares[warp][lane][i]);
      __syncwarp();
    }
    largest = max(largest, square);
  }
  atomicMax(&of_block, __double_as_longlong(largest));
  __syncthreads();
  if (threadIdx.x == 0) atomicMax(farthest + group, of_block);
}

/// Labels the points in portions of points_at_once, with the kernels of a step.
class farthest_loop final : public resident_loop<farthest_in_groups<float>> {
 public:
  farthest_loop(const farthest_in_groups<float>& task, const chunk& part, int device)
    : steps_(task.step, part, device),
      labels_(points_at_once * sizeof(std::uint32_t), on()),
      farthest_(task.groups * sizeof(std::int64_t), on()),
      found_(farthest_.size()) {}

  [[nodiscard]] std::uint64_t most_bytes() override { return steps_.most_bytes(); }
  std::uint64_t hold(const chunk& part) override { return steps_.hold(part); }
  [[nodiscard]] chunk held() const override { return steps_.held(); }

  void begin(const farthest_in_groups<float>& task, bool timed) override {
    steps_.prepare(task.step);
    rows_of_group_ = task.rows_of_group;
    if (timed) started_.record(on());
    check(cudaMemsetAsync(farthest_.as<void>(), 0, farthest_.size(), on().get()), "clearing squares");
    for (std::uint64_t first = 0; first < rows(); first += points_at_once) {
      const std::uint64_t count = std::min(points_at_once, rows() - first);
      const lloyd_arguments some = steps_.find_labels(task.step, first, count, labels_.as<std::uint32_t>());
      const std::uint64_t begin = first_row() + first;
      const std::uint64_t groups = (begin + count - 1) / rows_of_group_ - begin / rows_of_group_ + 1;
      launch(farthest_kernel, {static_cast<unsigned>(groups), threads_of_block, 0, on().get()}, some, begin,
             rows_of_group_, farthest_.as<long long>());
    }
    check(cudaMemcpyAsync(found_.as<void>(), farthest_.as<void>(), found_.size(), cudaMemcpyDeviceToHost,
                          on().get()),
          "copying the largest squares");
    timed_ = timed;
    if (timed_) ended_.record(on());
  }

  [[nodiscard]] std::optional<resident_step<farthest_in_groups<float>>> finish_within(
      double seconds) override {
    if (!wait_at_most(on(), seconds)) return std::nullopt;
    dense_partial<std::int64_t> all(found_.size() / sizeof(std::int64_t));
    for (std::uint64_t row = first_row(); row < first_row() + rows();) {
      const std::uint64_t group = row / rows_of_group_;
      all.reduce(group, found_.as<std::int64_t>()[group], maximum<std::int64_t>{});
      row = (group + 1) * rows_of_group_;
    }
    return resident_step<farthest_in_groups<float>>{std::move(all),
                                                    timed_ ? ended_.seconds_since(started_) : 0};
  }

  void give_up() noexcept override { steps_.give_up(); }

 private:
  [[nodiscard]] const stream& on() const { return steps_.queue_of_work(); }
  [[nodiscard]] std::uint64_t row_bytes() const { return steps_.row_bytes(); }
  [[nodiscard]] std::uint64_t rows() const { return held().size / row_bytes(); }
  [[nodiscard]] std::uint64_t first_row() const { return held().offset / row_bytes(); }

  lloyd_loop steps_;
  device_buffer labels_;
  device_buffer farthest_;
  pinned_buffer found_;
  event started_;
  event ended_;
  std::uint64_t rows_of_group_ = 1;
  bool timed_ = false;
};

}  // namespace

template <>
std::unique_ptr<resident_loop<farthest_in_groups<float>>> make_resident(const farthest_in_groups<float>& task,
                                                                        const chunk& part, int device) {
  return std::make_unique<farthest_loop>(task, part, device);
}

}  // namespace duomap::gpu
