// Kernels of duomap that a Python function was linked into at run time. host only
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace duomap::python {

/// A program for GPUs of a compute capability (10 x major + minor).
struct linked_image {
  int capability;
  std::string cubin;
};

/// Loaded on each device when a kernel is first asked for there. Threads may share it.
class linked_kernels {
 public:
  explicit linked_kernels(std::vector<linked_image> images) : images_(std::move(images)) {}
  ~linked_kernels();
  linked_kernels(const linked_kernels&) = delete;
  linked_kernels& operator=(const linked_kernels&) = delete;

  /// For the calling thread's current device: the kernel of the same name as one that the program contains,
  /// which may have `shared_bytes` of dynamic shared memory.
  [[nodiscard]] const void* instead_of(const void* kernel, std::uint64_t shared_bytes);

 private:
  std::vector<linked_image> images_;
  std::mutex mutex_;
  std::map<int, void*> libraries_;                            // by capability
  std::map<std::pair<int, const void*>, const void*> found_;  // by device and kernel
};

/// A word of host memory that kernels set to 1.
class kernel_flag {
 public:
  kernel_flag();
  ~kernel_flag();
  kernel_flag(const kernel_flag&) = delete;
  kernel_flag& operator=(const kernel_flag&) = delete;

  [[nodiscard]] unsigned* address() const noexcept { return word_; }
  /// To be asked when no kernel runs.
  [[nodiscard]] bool is_set() const noexcept { return *word_ != 0; }

 private:
  unsigned* word_ = nullptr;
};

}  // namespace duomap::python
