// Turns CUDA's errors into exceptions of three kinds: out of memory, a lost device, and all others.
#pragma once

#include "core/error.hpp"

#include <string>

namespace duomap::gpu {

/// A failed call, as CUDA describes it.
struct failed_cuda_call {
  int code = 0;      ///< the cudaError_t
  std::string name;  ///< for example "cudaErrorInvalidValue"
  std::string text;  ///< CUDA's description of the error
};

/// The error of a call that failed and left the device usable.
class cuda_error : public error {
 public:
  cuda_error(const failed_cuda_call& failure, const std::string& message)
    : error(exit_status::failed, message), code_(failure.code) {}

  /// CUDA's error code, a cudaError_t.
  [[nodiscard]] int code() const noexcept { return code_; }

 private:
  int code_;
};

/// Device memory ran out. The device stays usable: retry with less, or elsewhere.
class device_out_of_memory : public out_of_memory {
 public:
  explicit device_out_of_memory(const std::string& message) : out_of_memory(message) {}
};

/// Whether a context returns this code for ever, so that the process has lost everything on the device.
[[nodiscard]] bool is_sticky(int code) noexcept;

/// Throws device_out_of_memory, device_lost (core/error.hpp) or cuda_error, by the code. The message has
/// `what`, the call site, and CUDA's name and description.
[[noreturn]] void throw_failure(const failed_cuda_call& failure, const std::string& what, call_site where);

}  // namespace duomap::gpu
