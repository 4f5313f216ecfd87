// Makes the GPU code of the k-means step: plans its launches and queues them.
#include "core/error.hpp"
#include "core/partial/dense.hpp"
#include "gpu/device/gpu_state.hpp"
#include "gpu/runtime/check.cuh"
#include "gpu/runtime/launch.cuh"
#include "gpu/runtime/wait_at_most.cuh"
#include "numeric/kmeans/lloyd_few_dimensions.cuh"
#include "numeric/kmeans/lloyd_loop.cuh"
#include "numeric/kmeans/lloyd_step.hpp"
#include "numeric/kmeans/lloyd_tile.cuh"
#include "numeric/kmeans/square_sums.cuh"

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>

namespace duomap::gpu {
namespace {

stream stream_of(int device) {
  use_gpu(device);
  return {};
}

/// The places of a step's arrays in one block of memory: negative centres, half squares, shift (with the
/// numbers that kernels may read behind it), units.
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

/// The number of coordinates that a 32-bit sum of parts can hold. A part is at most 2^(low_bits - 1).
std::uint32_t numbers_until_full(std::uint32_t low_bits) {
  return std::numeric_limits<std::int32_t>::max() >> (low_bits - 1);
}

unsigned blocks_for(std::uint64_t points, std::uint64_t points_of_block, unsigned at_once,
                    const device_limits& has) {
  const std::uint64_t blocks = (points + points_of_block - 1) / points_of_block;
  return static_cast<unsigned>(std::min<std::uint64_t>(blocks, std::uint64_t{has.multiprocessors} * at_once));
}

// The number of points of a thread. With 8 points, or with blocks of 256 or 512 threads, the kernel was up to
// a tenth slower (H200).
constexpr int few_points = 4;
constexpr unsigned few_threads = 1024;

/// Queues a step over few dimensions; false when the device's shared memory is too small for the centres.
bool queue_few_dimensions(const lloyd_arguments& a, const device_limits& has, const stream& on) {
  // The number of dimensions is a template argument: with 20 centres, 16,777,216 points of 3 dimensions took
  // 135 us instead of 175 (H100).
  const auto kernel = a.dimensions == 1   ? lloyd_few_kernel<1, few_points, few_threads>
                      : a.dimensions == 2 ? lloyd_few_kernel<2, few_points, few_threads>
                                          : lloyd_few_kernel<3, few_points, few_threads>;
  const std::uint64_t most = allow_all_shared_memory(kernel, has);
  lloyd_few_plan plan{32, 0};
  const auto bytes = [&] {
    return padded_centres(a.centres) * sizeof(float4) +
           std::uint64_t{a.centres} * cells_per_centre(a.dimensions) * sizeof(int) * plan.copies;
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

/// Plans the launch of a step for one size of tiles, and queues the step.
template <int PointLanes, int Points, int Centres, unsigned MostWarps>
class tiles {
 public:
  tiles(const lloyd_arguments& a, const device_limits& has)
    : has_(has), most_(allow_all_shared_memory(kernel, has)) {
    // A multiprocessor needs 4 warps to hide the wait for memory. If shared memory is too small for them, the
    // sums, or also the centres, stay in device memory.
    plan_ = {a.dimensions <= tile::slab, true, 0};
    if (warps_within(a, most_) < 4) plan_.sums_stay = false;
    if (warps_within(a, most_) < 4) plan_ = {false, true, 0};
    if (warps_within(a, most_) < 4) plan_.sums_stay = false;
    constexpr std::uint64_t of_system = 1024;  // bytes that CUDA takes of each block's shared memory
    two_ = warps_within(a, has.shared_per_multiprocessor / 2 - of_system) >= MostWarps / 2;
    const std::uint64_t warps = two_ ? MostWarps / 2 : warps_within(a, most_);
    warps_ = static_cast<unsigned>(std::clamp<std::uint64_t>(warps, 1, MostWarps));
    plan_.tiles_until_full = std::max(1u, numbers_until_full(a.low_bits) / (warps_ * tile::rows));
  }

  /// Whether two blocks fit that have half of the warps each. Two blocks are a little faster than one block.
  [[nodiscard]] bool two_blocks() const { return two_; }

  void queue(const lloyd_arguments& a, const stream& on) const {
    const std::uint64_t shared = bytes(a) + warps_ * tile::warp_bytes;
    const unsigned at_once = blocks_at_once(kernel, 32 * warps_, shared, has_);
    launch(kernel, {blocks_for(a.count, warps_ * tile::rows, at_once, has_), 32 * warps_, shared, on.get()},
           a, plan_);
  }

 private:
  using tile = lloyd_tile<PointLanes, Points, Centres>;
  static constexpr auto kernel = lloyd_tile_kernel<PointLanes, Points, Centres, 32 * MostWarps>;

  [[nodiscard]] std::uint64_t bytes(const lloyd_arguments& a) const {
    return tile::centre_bytes(plan_.centres_stay ? tile::padded(a.centres) : tile::several) +
           (plan_.sums_stay ? tile::sum_bytes(a.centres, a.dimensions) : 0);
  }
  [[nodiscard]] std::uint64_t warps_within(const lloyd_arguments& a, std::uint64_t shared) const {
    return bytes(a) < shared ? (shared - bytes(a)) / tile::warp_bytes : 0;
  }

  device_limits has_;
  std::uint64_t most_;
  lloyd_tile_plan plan_{};
  bool two_ = false;
  unsigned warps_ = 1;
};

/// Chooses the size of tiles. Small tiles of 8 by 5 scores are faster as long as two blocks of 8 warps fit
/// (H200, 16,777,216 points of 32 dimensions, 20 and 40 centres). Otherwise large tiles of 6 by 10 are
/// faster: 3.30 ms instead of 4.1 with 100 centres.
void queue_tiles(const lloyd_arguments& a, const device_limits& has, const stream& on) {
  const tiles<8, 8, 5, 16> small(a, has);
  if (small.two_blocks()) {
    small.queue(a, on);
  } else {
    tiles<16, 6, 10, 12>(a, has).queue(a, on);
  }
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
  use_gpu(device_);
  return data_.most_bytes();
}

std::uint64_t lloyd_loop::hold(const chunk& part) {
  use_gpu(device_);
  graph_.reset();
  return data_.hold(part);
}

void lloyd_loop::begin(const lloyd_step<float>& task, bool timed) {
  expects(task.dimensions == dimensions_ && task.key_count() == keys_,
          "the steps of a loop have the same number of centres and of dimensions");
  use_gpu(device_);
  stage(task);
  if (!graph_ || squares_ != task.squares) {
    squares_ = task.squares;
    on_.wait();  // finishes all allocations before the graph is recorded
    graph_.emplace(on_, [&] { queue(task); });
  }
  timed_ = timed;
  if (timed_) started_.record(on_);
  graph_->run(on_);
  if (timed_) ended_.record(on_);
}

std::optional<resident_step<lloyd_step<float>>> lloyd_loop::finish_within(double seconds) {
  use_gpu(device_);
  if (!wait_at_most(on_, seconds)) return std::nullopt;
  dense_partial<std::int64_t> sums(keys_);
  const auto* const found = found_.as<std::int64_t>();
  for (std::uint64_t key = 0; key < keys_; ++key) {
    if (found[key] != 0) sums.reduce(key, found[key], sum<std::int64_t>{});
  }
  return resident_step<lloyd_step<float>>{std::move(sums), timed_ ? ended_.seconds_since(started_) : 0};
}

void lloyd_loop::give_up() noexcept { ++state_of_gpu(device_).hanging; }

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
  queue_arrays();
  const lloyd_arguments arguments = arguments_of(task);
  if (arguments.count > 0) queue_kernels(arguments);
  check(cudaMemcpyAsync(found_.as<void>(), totals_.as<void>(), found_.size(), cudaMemcpyDeviceToHost,
                        on_.get()),
        "copying the sums of k-means");
}

void lloyd_loop::queue_arrays() {
  check(cudaMemcpyAsync(arrays_.as<void>(), staged_.as<void>(), staged_.size(), cudaMemcpyHostToDevice,
                        on_.get()),
        "copying the centres of k-means");
  check(cudaMemsetAsync(totals_.as<void>(), 0, totals_.size(), on_.get()), "clearing the sums of k-means");
}

lloyd_arguments lloyd_loop::arguments_of(const lloyd_step<float>& task) const {
  const array_places at(centres_, dimensions_);
  const chunk& points = data_.get();
  auto* const arrays = arrays_.as<float>();
  return {reinterpret_cast<const float*>(points.data),
          points.size / row_bytes(),
          dimensions_,
          centres_,
          task.low_bits,
          arrays + at.shift,
          arrays + at.units,
          arrays,
          arrays + at.half_squares,
          totals_.as<unsigned long long>(),
          nullptr};
}

void lloyd_loop::prepare(const lloyd_step<float>& task) {
  use_gpu(device_);
  stage(task);
  squares_ = false;
  queue_arrays();
}

lloyd_arguments lloyd_loop::find_labels(const lloyd_step<float>& task, std::uint64_t first,
                                        std::uint64_t count, std::uint32_t* labels) {
  lloyd_arguments some = arguments_of(task);
  some.points += first * dimensions_;
  some.count = count;
  some.labels = labels;
  queue_kernels(some);
  return some;
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
