// Keeps rows of a training problem's kernel matrix in device memory: all rows, or the rows computed last. For
// host code; needs CUDA's headers.
#pragma once

#include "core/error.hpp"
#include "gpu/runtime/buffer.cuh"
#include "gpu/runtime/check.cuh"
#include "numeric/svm/device_kernel.cuh"
#include "numeric/svm/device_points.cuh"
#include "numeric/svm/device_row_form.hpp"
#include "numeric/svm/kernel_rows.hpp"
#include "numeric/svm/smo_set.cuh"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace duomap::gpu {

/// Slots of one kernel row each. With a slot for every point, slot p has the row of point p, and all are
/// filled at once. Otherwise the slots are a ring: a missing row replaces the row computed longest ago.
class device_kernel_rows {
 public:
  /// Takes up to `bytes` of device memory, the points' own rows included. The points stay on the host if they
  /// leave no room for `least_slots`. `on` and `problem` must outlive this.
  /// @throws out_of_memory when the slots and some points do not fit
  device_kernel_rows(const svm_problem& problem, std::uint64_t least_slots, std::uint64_t bytes,
                     const stream& on)
    : rows_(problem.rows),
      on_(on),
      kernel_of_(problem.kernel),
      plan_(rows_, std::min(least_slots, rows_.rows) * slot_bytes(), bytes, "training on a GPU"),
      slots_(std::min((bytes - plan_.bytes) / slot_bytes(), rows_.rows)),
      points_(rows_, kernel_of_, plan_, on),
      kernel_(kernel_of_, points_.form(), rows_.columns, plan_.product_bytes,
              static_cast<double>(rows_.rows) * static_cast<double>(rows_.rows), on),
      values_(slots_ * slot_bytes(), on) {
    if (holds_all()) {
      compute_all();
      return;
    }
    slot_of_.assign(rows_.rows, smo_no_index);
    point_in_.assign(slots_, smo_no_index);
    device_slot_of_ = device_buffer(rows_.rows * sizeof(std::uint32_t), on);
    upload_slots();
  }

  [[nodiscard]] bool holds_all() const noexcept { return slots_ >= rows_.rows; }
  [[nodiscard]] std::uint64_t slots() const noexcept { return slots_; }
  /// The distance between slots, counted in numbers.
  [[nodiscard]] std::uint64_t stride() const noexcept { return device_kernel::stride_of(rows_.rows); }
  [[nodiscard]] const float* values() const noexcept { return values_.as<float>(); }
  [[nodiscard]] const float* diagonal() const noexcept { return points_.diagonal(); }
  /// Whether points come from the host for each computation.
  [[nodiscard]] bool streams() const noexcept { return plan_.streams(); }
  [[nodiscard]] double seconds_to_stream() const noexcept { return points_.seconds_to_stream(); }
  /// The number of times that all points have come to the device again, after the first time.
  [[nodiscard]] std::uint64_t passes() const noexcept { return passes_; }
  /// The slot of each point, or smo_no_index, in device memory. nullptr: point p has slot p.
  [[nodiscard]] const std::uint32_t* slot_of() const noexcept {
    return holds_all() ? nullptr : device_slot_of_.as<std::uint32_t>();
  }

  /// Queues the computation of the kernel rows that are missing for these points. The points are all
  /// different, and at most half of the number of slots.
  void provide(std::span<const std::uint32_t> points) {
    const std::uint64_t first = next_ + points.size() > slots_ ? 0 : next_;
    std::vector<std::uint32_t> missing;
    // A row of one of these points that would be overwritten counts as missing, too.
    for (std::uint64_t taken = 0;; taken = missing.size()) {
      missing.clear();
      for (const std::uint32_t point : points) {
        const std::uint32_t slot = slot_of_[point];
        if (slot == smo_no_index || (slot >= first && slot < first + taken)) missing.push_back(point);
      }
      if (missing.size() == taken) break;
    }
    fill(first, missing);
  }

  /// Queues the computation of these points' rows into slots from 0 on, and forgets all other rows.
  void replace_all(std::span<const std::uint32_t> points) {
    std::fill(slot_of_.begin(), slot_of_.end(), smo_no_index);
    std::fill(point_in_.begin(), point_in_.end(), smo_no_index);
    fill(0, points);
  }

 private:
  [[nodiscard]] std::uint64_t slot_bytes() const noexcept { return stride() * sizeof(float); }

  void compute_all() {
    if (!streams()) {
      points_.for_each_panel([this](const device_rows& all, std::uint64_t) {
        kernel_.compute(all, 0, all.rows(), all, values_.as<float>(), stride());
      });
      return;
    }
    std::vector<std::uint32_t> all(rows_.rows);
    std::iota(all.begin(), all.end(), 0u);
    compute(all, 0);
  }

  /// Computes the kernel rows of these points into slots from `first` on.
  void compute(std::span<const std::uint32_t> points, std::uint64_t first) {
    while (!points.empty()) {
      const std::uint64_t count = plan_.part_of(rows_, points);
      const row_copies<float> copies(rows_, points.first(count));
      const device_rows part(copies.view(), kernel_of_, points_.form(), on_);
      float* const to = values_.as<float>() + first * stride();
      points_.for_each_panel([&](const device_rows& panel, std::uint64_t point) {
        kernel_.compute(part, 0, count, panel, to + point, stride());
      });
      // The host's copies of the rows must live until the stream has read them.
      on_.wait();
      points = points.subspan(count);
      first += count;
      passes_ += streams() ? 1 : 0;
    }
  }

  void fill(std::uint64_t first, std::span<const std::uint32_t> points) {
    if (points.empty()) return;
    compute(points, first);
    for (std::size_t i = 0; i < points.size(); ++i) {
      std::uint32_t& before = point_in_[first + i];
      if (before != smo_no_index) slot_of_[before] = smo_no_index;
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
    on_.wait();
  }

  svm_rows rows_;
  const stream& on_;
  svm_kernel kernel_of_;
  point_plan plan_;
  std::uint64_t slots_;
  device_points points_;
  device_kernel kernel_;
  device_buffer values_;
  std::vector<std::uint32_t> slot_of_;
  std::vector<std::uint32_t> point_in_;
  device_buffer device_slot_of_;
  std::uint64_t next_ = 0;  ///< the slot that is filled next
  std::uint64_t passes_ = 0;
};

}  // namespace duomap::gpu
