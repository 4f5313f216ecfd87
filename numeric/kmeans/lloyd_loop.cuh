// Declares the resident loop of k-means: points in device memory, and a graph that runs one step with new
// centres. For host code; needs CUDA's headers.
#pragma once

#include "core/chunk.hpp"
#include "core/resident_loop.hpp"
#include "gpu/feed/resident_part.cuh"
#include "gpu/runtime/buffer.cuh"
#include "gpu/runtime/device_limits.cuh"
#include "gpu/runtime/graph.cuh"
#include "gpu/runtime/stream.cuh"
#include "numeric/kmeans/lloyd_arguments.cuh"
#include "numeric/kmeans/lloyd_step.hpp"

#include <cstdint>
#include <optional>

namespace duomap::gpu {

/// Each step launches one graph, which copies the centres to the device, runs the kernels, and copies the
/// sums back. Owns all its device memory.
class lloyd_loop final : public resident_loop<lloyd_step<float>> {
 public:
  lloyd_loop(const lloyd_step<float>& task, const chunk& part, int device);

  [[nodiscard]] std::uint64_t most_bytes() override;
  std::uint64_t hold(const chunk& part) override;
  [[nodiscard]] chunk held() const override { return data_.get(); }
  void begin(const lloyd_step<float>& task, bool timed) override;
  [[nodiscard]] std::optional<resident_step<lloyd_step<float>>> finish_within(double seconds) override;
  void give_up() noexcept override;

  /// Queues copies of a step's arrays to the device, which find_labels() needs.
  void prepare(const lloyd_step<float>& task);
  /// Queues kernels, without the graph, that find the nearest centre of each of `count` points from `first`
  /// on. `task`: the step given to prepare(). Returns the kernels' arguments: these points, and `labels`.
  lloyd_arguments find_labels(const lloyd_step<float>& task, std::uint64_t first, std::uint64_t count,
                              std::uint32_t* labels);
  [[nodiscard]] const stream& queue_of_work() const noexcept { return on_; }
  [[nodiscard]] std::uint64_t row_bytes() const noexcept { return dimensions_ * sizeof(float); }

 private:
  /// Copies the step's arrays to the host memory that the graph reads.
  void stage(const lloyd_step<float>& task);
  void queue(const lloyd_step<float>& task);
  void queue_arrays();
  void queue_kernels(const lloyd_arguments& arguments);
  [[nodiscard]] lloyd_arguments arguments_of(const lloyd_step<float>& task) const;

  int device_;
  std::uint32_t dimensions_;
  std::uint32_t centres_;
  std::uint64_t keys_;
  stream on_;
  device_limits has_;
  resident_part data_;
  pinned_buffer staged_;
  device_buffer arrays_;
  pinned_buffer found_;
  device_buffer totals_;
  event started_;
  event ended_;
  bool timed_ = false;
  bool squares_ = false;
  std::optional<graph> graph_;  // recorded with or without squares, as `squares_` says
};

}  // namespace duomap::gpu
