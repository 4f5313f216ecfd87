// GPU code of k-means.
#include "apps/kmeans/lloyd_few_dimensions.cuh"
#include "apps/kmeans/lloyd_loop.cuh"
#include "apps/kmeans/lloyd_step.hpp"
#include "apps/kmeans/lloyd_tile.cuh"
#include "apps/kmeans/square_sums.cuh"
#include "core/error.hpp"
#include "gpu/runtime/check.cuh"
#include "gpu/runtime/launch.cuh"

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>

namespace duomap::gpu {
namespace {

stream stream_of(int device) {
  check(cudaSetDevice(device), [&] { return "using GPU " + std::to_string(device); });
  return {};
}

/// Where a step's arrays lie in one block: negative centres, half squares, shift (with the numbers that may
/// be read behind it), units.
struct array_places {
  std::uint64_t half_squares;
  std::uint64_t shift;
  std::uint64_t units;
  std::uint64_t numbers;

  array_places(std::uint64_t centres, std::uint64_t dimensions)
    : half_squares(centres * dimensions),
      shift((half_squares + centres + 3) / 4 * 4),
      units(shift + dimensions + 4),
      numbers(units + dimensions) {}
};

/// Coordinates that sums of 32 bits can take: a part is at most 2^(half of the bits).
std::uint32_t numbers_until_full(std::uint32_t low_bits) {
  return std::numeric_limits<std::int32_t>::max() >> (low_bits - 1);
}

unsigned blocks_for(std::uint64_t points, std::uint64_t points_of_block, unsigned at_once,
                    const device_limits& has) {
  const std::uint64_t blocks = (points + points_of_block - 1) / points_of_block;
  return static_cast<unsigned>(std::min<std::uint64_t>(blocks, std::uint64_t{has.multiprocessors} * at_once));
}

// 4 points of a thread, or 8: as fast (H200); blocks of 512 threads need fewer copies of cells.
constexpr int few_points = 4;
constexpr unsigned few_threads = 512;

/// False when the device's shared memory is too small for the centres.
bool queue_few_dimensions(const lloyd_arguments& a, const device_limits& has, const stream& on) {
  const auto kernel = lloyd_few_kernel<few_points, few_threads>;
  const std::uint64_t most = allow_all_shared_memory(kernel, has);
  lloyd_few_plan plan{32, 0};
  const auto bytes = [&] {
    return std::uint64_t{a.centres} * (sizeof(float4) + few_cells * sizeof(int) * plan.copies);
  };
  while (plan.copies > 1 && bytes() > most / 2) plan.copies /= 2;
  if (bytes() > most) return false;
  plan.rounds_until_full = numbers_until_full(a.low_bits) / (few_threads / plan.copies * few_points);
  if (plan.rounds_until_full == 0) return false;
  const unsigned at_once = blocks_at_once(kernel, few_threads, bytes(), has);
  launch(kernel,
         {blocks_for(a.count, few_threads * few_points, at_once, has), few_threads, bytes(), on.get()}, a,
         plan);
  return true;
}

void queue_tiles(const lloyd_arguments& a, const device_limits& has, const stream& on) {
  using tile = lloyd_tile<16, 6, 10>;
  constexpr unsigned most_warps = 12;
  // Fewer would wait for each other's memory; then rather sums or centres stay in device memory.
  constexpr std::uint64_t least_warps = 4;
  const auto kernel = lloyd_tile_kernel<16, 6, 10, 32 * most_warps>;
  const std::uint64_t most = allow_all_shared_memory(kernel, has);
  const auto bytes = [&](const lloyd_tile_plan& plan) {
    return tile::centre_bytes(plan.centres_stay ? tile::padded(a.centres) : tile::several) +
           (plan.sums_stay ? tile::sum_bytes(a.centres, a.dimensions) : 0);
  };
  const auto warps_within = [&](const lloyd_tile_plan& plan, std::uint64_t shared) {
    return bytes(plan) < shared ? (shared - bytes(plan)) / tile::warp_bytes : 0;
  };
  lloyd_tile_plan plan{a.dimensions <= tile::slab, true, 0};
  if (warps_within(plan, most) < least_warps) plan.sums_stay = false;
  if (warps_within(plan, most) < least_warps) plan = {false, true, 0};
  if (warps_within(plan, most) < least_warps) plan.sums_stay = false;
  // Two blocks of 6 warps took 0.97 of the time of one of 12 (k = 20 and 40), one of 12 less than two of 5.
  constexpr std::uint64_t reserved = 1024;  // of the system, for each block
  const std::uint64_t half = has.shared_per_multiprocessor / 2 - reserved;
  const bool two = warps_within(plan, half) >= most_warps / 2;
  const auto warps = static_cast<unsigned>(
      two ? most_warps / 2 : std::clamp<std::uint64_t>(warps_within(plan, most), 1, most_warps));
  plan.tiles_until_full = std::max(1u, numbers_until_full(a.low_bits) / (warps * tile::rows));
  const std::uint64_t shared = bytes(plan) + warps * tile::warp_bytes;
  const unsigned at_once = blocks_at_once(kernel, 32 * warps, shared, has);
  launch(kernel, {blocks_for(a.count, warps * tile::rows, at_once, has), 32 * warps, shared, on.get()}, a,
         plan);
}

void queue_squares(const lloyd_arguments& a, const device_limits& has, const stream& on) {
  unsigned lanes = 1;
  while (lanes < 32 && lanes < a.dimensions) lanes *= 2;
  const unsigned rows = square_threads / lanes;
  const dim3 grid(blocks_for(a.count, rows, 8, has), (a.dimensions + lanes - 1) / lanes);
  launch(square_sums_kernel, {grid, square_threads, 0, on.get()}, a, lanes);
}

}  // namespace

lloyd_loop::lloyd_loop(const lloyd_step<float>& task, const chunk& part, int device)
  : device_(device),
    dimensions_(task.dimensions),
    centres_(task.centres()),
    keys_(task.key_count()),
    on_(stream_of(device)),
    has_(device_limits::current()),
    data_(on_),
    staged_(array_places(centres_, dimensions_).numbers * sizeof(float)),
    arrays_(staged_.size(), on_),
    found_(keys_ * sizeof(std::int64_t)),
    totals_(found_.size(), on_) {
  data_.hold(part);
}

std::uint64_t lloyd_loop::most_bytes() {
  use_device();
  return data_.most_bytes();
}

std::uint64_t lloyd_loop::hold(const chunk& part) {
  use_device();
  graph_.reset();
  return data_.hold(part);
}

void lloyd_loop::begin(const lloyd_step<float>& task, bool timed) {
  expects(task.dimensions == dimensions_ && task.key_count() == keys_,
          "the steps of a loop have the same number of centres and of dimensions");
  use_device();
  stage(task);
  if (!graph_ || squares_ != task.squares) {
    squares_ = task.squares;
    on_.wait();  // no allocation is left to be made while the graph is recorded
    graph_.emplace(on_, [&] { queue(task); });
  }
  timed_ = timed;
  if (timed_) started_.record(on_);
  graph_->run(on_);
  if (timed_) ended_.record(on_);
}

resident_step<lloyd_step<float>> lloyd_loop::finish() {
  use_device();
  on_.wait();
  dense_partial<std::int64_t> sums(keys_);
  const auto* const found = found_.as<std::int64_t>();
  for (std::uint64_t key = 0; key < keys_; ++key) {
    if (found[key] != 0) sums.reduce(key, found[key], sum<std::int64_t>{});
  }
  return {std::move(sums), timed_ ? ended_.seconds_since(started_) : 0};
}

void lloyd_loop::use_device() const { check(cudaSetDevice(device_), "using the GPU of a loop"); }

void lloyd_loop::stage(const lloyd_step<float>& task) {
  const array_places at(centres_, dimensions_);
  auto* const to = staged_.as<float>();
  std::copy_n(task.negative_centres.data, at.half_squares, to);
  std::copy_n(task.half_squares.data, centres_, to + at.half_squares);
  std::copy_n(task.shift.data, dimensions_, to + at.shift);
  for (std::uint32_t d = 0; d < dimensions_; ++d)
    to[at.units + d] = static_cast<float>(task.rounders[d] / 0x1.8p52);
}

void lloyd_loop::queue(const lloyd_step<float>& task) {
  const array_places at(centres_, dimensions_);
  check(cudaMemcpyAsync(arrays_.as<void>(), staged_.as<void>(), staged_.size(), cudaMemcpyHostToDevice,
                        on_.get()),
        "copying the centres of k-means");
  check(cudaMemsetAsync(totals_.as<void>(), 0, totals_.size(), on_.get()), "clearing the sums of k-means");
  const chunk& points = data_.get();
  auto* const arrays = arrays_.as<float>();
  const std::uint64_t count = points.size / (dimensions_ * sizeof(float));
  if (count > 0) {
    queue_kernels({reinterpret_cast<const float*>(points.data), count, dimensions_, centres_, task.low_bits,
                   arrays + at.shift, arrays + at.units, arrays, arrays + at.half_squares,
                   totals_.as<unsigned long long>()});
  }
  check(cudaMemcpyAsync(found_.as<void>(), totals_.as<void>(), found_.size(), cudaMemcpyDeviceToHost,
                        on_.get()),
        "copying the sums of k-means");
}

void lloyd_loop::queue_kernels(const lloyd_arguments& arguments) {
  if (squares_) queue_squares(arguments, has_, on_);
  if (dimensions_ <= few_dimensions && queue_few_dimensions(arguments, has_, on_)) return;
  queue_tiles(arguments, has_, on_);
}

template <>
std::unique_ptr<resident_loop<lloyd_step<float>>> make_resident(const lloyd_step<float>& task,
                                                                const chunk& part, int device) {
  return std::make_unique<lloyd_loop>(task, part, device);
}

}  // namespace duomap::gpu
