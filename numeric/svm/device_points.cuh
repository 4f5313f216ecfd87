// Keeps rows on a device, or copies them there panel by panel at each use. For host code; needs CUDA's
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

/// Keeps points on a device, or brings them panel by panel, as a point_plan says.
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
  /// until the work that `use` queued is done.
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
      // This panel takes the memory of the panel before the last, after the stream has used that memory.
      used.make_wait(copies_);
      place.reset();
      const std::uint64_t first = starts_[panel];
      place.emplace(slice(rows_, first, starts_[panel + 1] - first), kernel_, form_, copies_);
      arrived_.record(copies_);
      arrived_.make_wait(on_);
      use(static_cast<const device_rows&>(*place), first);
      used.record(on_);
    }
    for (const event& used : used_) used.make_wait(copies_);
  }

  /// The seconds to copy all points to the device once; 0 for points that stay there.
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
  device_buffer diagonal_;  ///< K(x, x) of points that stream
  double seconds_ = 0;
};

}  // namespace duomap::gpu
