// Rows of a training problem's kernel matrix in device memory: all of them, or those that were asked for
// last. For host code; needs CUDA's headers.
#pragma once

#include "apps/svm/device_kernel.cuh"
#include "apps/svm/kernel_rows.hpp"
#include "apps/svm/smo_set.cuh"
#include "core/error.hpp"
#include "gpu/runtime/buffer.cuh"
#include "gpu/runtime/check.cuh"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace duomap::gpu {

/// Slots of one kernel row each. Where there is one for every point, all are filled at once, slot p with the
/// row of point p. Else they are a ring: the rows computed longest ago make room for those that are missing.
class device_kernel_rows {
 public:
  /// Takes up to `bytes` of device memory, the points' own rows included. `on` and `problem` must outlive
  /// this.
  /// @throws out_of_memory when there is no room for `least_slots`
  device_kernel_rows(const svm_problem& problem, std::uint64_t least_slots, std::uint64_t bytes,
                     const stream& on)
    : rows_(problem.rows),
      on_(on),
      points_(problem.rows.rows),
      slots_(slots_in(problem.rows, least_slots, bytes)),
      kernel_(problem.rows, problem.kernel, on),
      values_(slots_ * stride() * sizeof(float), on) {
    kernel_.expect(points_);
    if (holds_all()) {
      kernel_.compute(0, points_, values_.as<float>());
      return;
    }
    slot_of_.assign(points_, smo_nobody);
    point_in_.assign(slots_, smo_nobody);
    device_slot_of_ = device_buffer(points_ * sizeof(std::uint32_t), on);
    upload_slots();
  }

  [[nodiscard]] bool holds_all() const noexcept { return slots_ >= points_; }
  [[nodiscard]] std::uint64_t slots() const noexcept { return slots_; }
  /// Numbers from one slot to the next.
  [[nodiscard]] std::uint64_t stride() const noexcept { return kernel_.stride(); }
  [[nodiscard]] const float* values() const noexcept { return values_.as<float>(); }
  [[nodiscard]] const float* diagonal() const noexcept { return kernel_.diagonal(); }
  /// In device memory the slot of each point, or smo_nobody; nullptr where slot p is that of point p.
  [[nodiscard]] const std::uint32_t* slot_of() const noexcept {
    return holds_all() ? nullptr : device_slot_of_.as<std::uint32_t>();
  }

  /// Queues what it takes that all these different points, at most half as many as slots, have their rows.
  void provide(std::span<const std::uint32_t> points) {
    const std::uint64_t first = next_ + points.size() > slots_ ? 0 : next_;
    std::vector<std::uint32_t> missing;
    // What has to make room is missing then, if it is of these points.
    for (std::uint64_t taken = 0;; taken = missing.size()) {
      missing.clear();
      for (const std::uint32_t point : points) {
        const std::uint32_t slot = slot_of_[point];
        if (slot == smo_nobody || (slot >= first && slot < first + taken)) missing.push_back(point);
      }
      if (missing.size() == taken) break;
    }
    fill(first, missing);
  }

  /// Queues the rows of these points, at most as many as slots, into slots from 0 on, and forgets others.
  void replace_all(std::span<const std::uint32_t> points) {
    std::fill(slot_of_.begin(), slot_of_.end(), smo_nobody);
    std::fill(point_in_.begin(), point_in_.end(), smo_nobody);
    fill(0, points);
  }

 private:
  /// Of values twice as many in float64 where they are needed, and panels of products.
  static std::uint64_t bytes_beside(const svm_rows& rows) {
    return (rows.rows * rows.columns * 3 +
            std::uint64_t{8} * 4096 / 4 * device_kernel::stride_of(rows.rows)) *
           sizeof(float);
  }

  static std::uint64_t slots_in(const svm_rows& rows, std::uint64_t least, std::uint64_t bytes) {
    const std::uint64_t beside = bytes_beside(rows),
                        of_slot = device_kernel::stride_of(rows.rows) * sizeof(float);
    const std::uint64_t room = bytes > beside ? (bytes - beside) / of_slot : 0;
    if (room < std::min(least, rows.rows)) {
      throw out_of_memory("training on a GPU keeps all rows there and at least " + std::to_string(least) +
                          " rows of the kernel matrix: " + std::to_string(beside + least * of_slot) +
                          " bytes for " + std::to_string(rows.rows) + " rows of " +
                          std::to_string(rows.columns) + " columns, of which " + std::to_string(bytes) +
                          " are free");
    }
    return std::min(room, rows.rows);
  }

  void fill(std::uint64_t first, std::span<const std::uint32_t> points) {
    if (points.empty()) return;
    const row_copies copies(rows_, points);
    const device_kernel part(copies.view(), kernel_);
    kernel_.compute_others(part, 0, points.size(), values_.as<float>() + first * stride());
    for (std::size_t i = 0; i < points.size(); ++i) {
      std::uint32_t& before = point_in_[first + i];
      if (before != smo_nobody) slot_of_[before] = smo_nobody;
      before = points[i];
    }
    for (std::size_t i = 0; i < points.size(); ++i)
      slot_of_[points[i]] = static_cast<std::uint32_t>(first + i);
    next_ = first + points.size();
    upload_slots();
  }

  void upload_slots() const {
    check(cudaMemcpyAsync(device_slot_of_.as<void>(), slot_of_.data(), device_slot_of_.size(),
                          cudaMemcpyHostToDevice, on_.get()),
          "copying where kernel rows are");
    // The copies of rows are on the host until then.
    on_.wait();
  }

  svm_rows rows_;
  const stream& on_;
  std::uint64_t points_;
  std::uint64_t slots_;
  device_kernel kernel_;
  device_buffer values_;
  std::vector<std::uint32_t> slot_of_;
  std::vector<std::uint32_t> point_in_;
  device_buffer device_slot_of_;
  std::uint64_t next_ = 0;  ///< the slot that is filled next
};

}  // namespace duomap::gpu
