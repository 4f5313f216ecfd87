// CUDA errors as exceptions, in three kinds: out of memory, a device that is lost, and everything else.
#pragma once

#include "core/error.hpp"

#include <string>

namespace duomap::gpu {

/// What CUDA says about a failed call.
struct cuda_failure {
  int code = 0;      ///< the cudaError_t
  std::string name;  ///< "cudaErrorInvalidValue"
  std::string text;  ///< CUDA's description
};

/// A call that failed and left the device usable.
class cuda_error : public error {
 public:
  cuda_error(const cuda_failure& failure, const std::string& message)
    : error(exit_status::failed, message), code_(failure.code) {}

  /// The cudaError_t.
  [[nodiscard]] int code() const noexcept { return code_; }

 private:
  int code_;
};

/// Device memory ran out. The device stays usable: retry with less, or elsewhere.
class device_out_of_memory : public out_of_memory {
 public:
  explicit device_out_of_memory(const std::string& message) : out_of_memory(message) {}
};

/// Whether a context that returned this code returns it for ever after, so that everything on the device is
/// lost to this process.
[[nodiscard]] bool is_sticky(int code) noexcept;

/// Throws device_out_of_memory, device_lost (core/error.hpp) or cuda_error, by the code. The message names
/// what was done, the call site, and CUDA's name and description.
[[noreturn]] void throw_failure(const cuda_failure& failure, const std::string& what, call_site where);

}  // namespace duomap::gpu
