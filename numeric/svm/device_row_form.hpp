// Chooses the form of rows on a GPU, and the number of rows that fit at once.
// host only
#pragma once

#include "numeric/svm/svm_problem.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace duomap::gpu {

/// The form in which a GPU stores rows. Rows that are multiplied with each other have the same form.
struct device_row_form {
  bool sparse = false;  ///< entry by entry; else dense
  bool wide = false;    ///< dense, in float64

  friend bool operator==(const device_row_form&, const device_row_form&) = default;

  /// The best form for all of `rows`, in float32. Sparse rows of few columns become dense.
  [[nodiscard]] static device_row_form of(const svm_rows& rows);

  /// The most bytes that a row takes on the device, during its copy or later, in float32 or float64.
  [[nodiscard]] std::uint64_t bytes_of(const svm_rows& rows, std::uint64_t row) const noexcept;
};

/// Plans where points are kept: rows whose kernel values with other rows are computed again and again. Points
/// that fit into the device's memory stay there. Otherwise they stay on the host, and come panel by panel at
/// each use.
struct point_plan {
  device_row_form form;
  /// The first point of each panel, and at the end the number of points. A single panel stays on the device.
  std::vector<std::uint64_t> panels;
  std::uint64_t rows_at_once = 0;   ///< the most rows that are multiplied with the points at once
  std::uint64_t part_bytes = 0;     ///< the most bytes of these rows, and of a panel
  std::uint64_t product_bytes = 0;  ///< of float64 products
  std::uint64_t bytes = 0;          ///< of all of the above, and of the points

  /// Makes a plan for `limit` bytes of device memory, of which the caller itself needs `beside` bytes. `what`
  /// begins the message if nothing fits.
  /// @throws out_of_memory
  point_plan(const svm_rows& points, std::uint64_t beside, std::uint64_t limit, const std::string& what);

  [[nodiscard]] bool streams() const noexcept { return panels.size() > 2; }

  /// The number of rows, from the first on, that can be multiplied with the points at once: at least one.
  [[nodiscard]] std::uint64_t part_of(const svm_rows& rows,
                                      std::span<const std::uint32_t> which) const noexcept;

 private:
  void cut_panels(const svm_rows& points);
};

}  // namespace duomap::gpu
