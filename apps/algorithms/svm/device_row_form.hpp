// How rows are kept on a GPU, and how many of them at once.
// host only
#pragma once

#include "apps/algorithms/svm/svm_problem.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace duomap::gpu {

/// How rows are kept, the same for all that meet.
struct device_row_form {
  bool sparse = false;  ///< entry by entry; else without gaps
  bool wide = false;    ///< without gaps: in float64

  friend bool operator==(const device_row_form&, const device_row_form&) = default;

  /// What is best for all of `rows`, in float32. Sparse rows of few columns lose their gaps.
  [[nodiscard]] static device_row_form of(const svm_rows& rows);

  /// Bytes that a row takes at most, in whatever width, while it is brought to the device and then.
  [[nodiscard]] std::uint64_t bytes_of(const svm_rows& rows, std::uint64_t row) const noexcept;
};

/// Kernel values are computed of all of some rows, the points, with others, again and again. Points that fit
/// into the device's memory stay there; others stay on the host, and come panel by panel each time.
struct point_plan {
  device_row_form form;
  /// The first point of each panel, and at the end their number. One panel stays on the device.
  std::vector<std::uint64_t> panels;
  std::uint64_t rows_at_once = 0;   ///< that meet the points, at most,
  std::uint64_t part_bytes = 0;     ///< and what they take; of a panel, too
  std::uint64_t product_bytes = 0;  ///< of products in float64
  std::uint64_t bytes = 0;          ///< all of that, and the points

  /// Within `limit` bytes, of which `beside` are for something else. `what` is told if there is no way.
  /// @throws out_of_memory
  point_plan(const svm_rows& points, std::uint64_t beside, std::uint64_t limit, const std::string& what);

  [[nodiscard]] bool streams() const noexcept { return panels.size() > 2; }

  /// How many of these rows, from the first on, can meet the points at once: one at least.
  [[nodiscard]] std::uint64_t part_of(const svm_rows& rows,
                                      std::span<const std::uint32_t> which) const noexcept;

 private:
  void cut_panels(const svm_rows& points);
};

}  // namespace duomap::gpu
