#include "gpu/runtime/check.cuh"
#include "numeric/svm/device_kernel.cuh"
#include "numeric/svm/device_points.cuh"

#include <algorithm>
#include <chrono>
#include <span>

namespace duomap::gpu {
namespace {

template <class T>
byte_view bytes_of(std::span<const T> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

}  // namespace

device_points::device_points(const svm_rows& rows, const svm_kernel& kernel, const point_plan& plan,
                             const stream& on)
  : rows_(rows), kernel_(kernel), form_(plan.form), starts_(plan.panels), on_(on) {
  if (!plan.streams()) {
    resident_.emplace(rows, kernel, form_, on);
    form_.wide = device_kernel::needs_float64(kernel, resident_->largest_square());
    if (form_.wide) resident_->widen();
    return;
  }
  locks_.push_back(std::make_unique<page_lock>(bytes_of(rows.dense)));
  locks_.push_back(std::make_unique<page_lock>(bytes_of(rows.row_start)));
  locks_.push_back(std::make_unique<page_lock>(bytes_of(rows.column_of)));
  locks_.push_back(std::make_unique<page_lock>(bytes_of(rows.values)));
  look_at_all();
}

void device_points::look_at_all() {
  diagonal_ = device_buffer(rows_.rows * sizeof(float), on_);
  const auto start = std::chrono::steady_clock::now();
  double largest = 0;
  for_each_panel([&](const device_rows& panel, std::uint64_t first) {
    check(cudaMemcpyAsync(diagonal_.as<float>() + first, panel.diagonal(), panel.rows() * sizeof(float),
                          cudaMemcpyDeviceToDevice, on_.get()),
          "keeping the diagonal of a kernel");
    largest = std::max(largest, panel.largest_square());
  });
  on_.wait();
  form_.wide = device_kernel::needs_float64(kernel_, largest);
  seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace duomap::gpu
