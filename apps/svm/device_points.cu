#include "apps/svm/device_kernel.cuh"
#include "apps/svm/device_points.cuh"
#include "gpu/runtime/check.cuh"
#include "gpu/runtime/release.cuh"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <chrono>

namespace duomap::gpu {

page_lock::page_lock(const void* memory, std::uint64_t bytes) {
  if (bytes == 0) return;
  void* const data = const_cast<void*>(memory);  // NOLINT(cppcoreguidelines-pro-type-const-cast): CUDA's type
  for (const unsigned flags : {unsigned{cudaHostRegisterDefault}, unsigned{cudaHostRegisterReadOnly}}) {
    if (cudaHostRegister(data, bytes, flags) == cudaSuccess) {
      locked_ = data;
      return;
    }
    static_cast<void>(cudaGetLastError());
  }
}

page_lock::~page_lock() {
  if (locked_ != nullptr) check_release(cudaHostUnregister(locked_), "unlocking rows");
}

device_points::device_points(const svm_rows& rows, const svm_kernel& kernel, const point_plan& plan,
                             const stream& on)
  : rows_(rows), kernel_(kernel), form_(plan.form), starts_(plan.panels), on_(on) {
  if (!plan.streams()) {
    resident_.emplace(rows, kernel, form_, on);
    form_.wide = device_kernel::needs_wide(kernel, resident_->largest_square());
    if (form_.wide) resident_->widen();
    return;
  }
  locks_.push_back(std::make_unique<page_lock>(rows.dense));
  locks_.push_back(std::make_unique<page_lock>(rows.row_start));
  locks_.push_back(std::make_unique<page_lock>(rows.column_of));
  locks_.push_back(std::make_unique<page_lock>(rows.values));
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
  form_.wide = device_kernel::needs_wide(kernel_, largest);
  seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace duomap::gpu
