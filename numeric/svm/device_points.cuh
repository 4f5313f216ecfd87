// Keeps rows on a device, or brings them panel by panel whenever they are needed. For host code; needs CUDA's
// headers.
#pragma once

#include "gpu/feed/page_lock.hpp"
#include "gpu/runtime/stream.cuh"
#include "numeric/svm/device_row_form.hpp"
#include "numeric/svm/device_rows.cuh"
#include "numeric/svm/kernel_rows.hpp"
#include "numeric/svm/svm_problem.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace duomap::gpu {

/// The points of a point_plan.
class device_points {
 public:
  /// If the points stream, `rows` must stay where they are. `on` must outlive this.
  /// @throws device_out_of_memory
  device_points(const svm_rows& rows, const svm_kernel& kernel, const point_plan& plan, const stream& on);
  device_points(const device_points&) = delete;
  device_points& operator=(const device_points&) = delete;
  ~device_points() = default;

  [[nodiscard]] device_row_form form() const noexcept { return form_; }
  /// K(x, x) of each point, in device memory.
  [[nodiscard]] const float* diagonal() const noexcept {
    return resident_ ? resident_->diagonal() : diagonal_.as<float>();
  }

  /// Calls use(panel, number of its first point) for each panel, in order. The panel stays on the device
  /// until the stream has done the work that `use` queued.
  template <class Use>
  void for_each_panel(const Use& use) {
    if (resident_) {
      use(*resident_, std::uint64_t{0});
      return;
    }
    std::array<std::optional<device_rows>, 2> here;
    for (std::size_t panel = 0; panel + 1 < starts_.size(); ++panel) {
      event& used = used_[panel % 2];
      std::optional<device_rows>& place = here[panel % 2];
      // This panel takes over the memory of the one before the last, after the stream has used it.
      used.hold_back(copies_);
      place.reset();
      const std::uint64_t first = starts_[panel];
      place.emplace(slice(rows_, first, starts_[panel + 1] - first), kernel_, form_, copies_);
      arrived_.record(copies_);
      arrived_.hold_back(on_);
      use(static_cast<const device_rows&>(*place), first);
      used.record(on_);
    }
    for (const event& used : used_) used.hold_back(copies_);
  }

  /// Seconds it took to bring all points to the device once; 0 for points that stay.
  [[nodiscard]] double seconds_to_stream() const noexcept { return seconds_; }

 private:
  void look_at_all();

  svm_rows rows_;
  svm_kernel kernel_;
  device_row_form form_;
  std::vector<std::uint64_t> starts_;
  std::vector<std::unique_ptr<page_lock>> locks_;
  const stream& on_;
  stream copies_;
  event arrived_;
  std::array<event, 2> used_;
  std::optional<device_rows> resident_;
  device_buffer diagonal_;  ///< of points that stream
  double seconds_ = 0;
};

}  // namespace duomap::gpu
