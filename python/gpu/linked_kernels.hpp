// duomap's kernels with a Python function linked into them at run time. host only
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace duomap::python {

/// The linked kernels for GPUs of one compute capability (10 x major + minor).
struct linked_image {
  int capability;
  std::string cubin;
};

/// The linked kernels of one task. A program is loaded when a GPU of its compute capability first needs it.
/// Threads may share the object.
class linked_kernels {
 public:
  explicit linked_kernels(std::vector<linked_image> images) : images_(std::move(images)) {}
  ~linked_kernels();
  linked_kernels(const linked_kernels&) = delete;
  linked_kernels& operator=(const linked_kernels&) = delete;

  /// The linked kernel that runs in place of `kernel`, a kernel of the module, on the calling thread's
  /// current device. It may then use `shared_bytes` of dynamic shared memory.
  /// @throws usage_error if there is no program for the device's compute capability
  [[nodiscard]] const void* instead_of(const void* kernel, std::uint64_t shared_bytes);

 private:
  std::vector<linked_image> images_;
  std::mutex mutex_;
  std::map<int, void*> libraries_;                            // by capability
  std::map<std::pair<int, const void*>, const void*> found_;  // by device and kernel
};

/// A word of page-locked host memory, 0 at first, that kernels set to 1.
class kernel_flag {
 public:
  kernel_flag();
  ~kernel_flag();
  kernel_flag(const kernel_flag&) = delete;
  kernel_flag& operator=(const kernel_flag&) = delete;

  [[nodiscard]] unsigned* address() const noexcept { return word_; }
  /// Whether a kernel has set the flag. Call it only while no kernel runs.
  [[nodiscard]] bool is_set() const noexcept { return *word_ != 0; }

 private:
  unsigned* word_ = nullptr;
};

}  // namespace duomap::python
