// Whether CUDA can be used here and, if not, which of the reasons it is and what to do about it. A pure
// function, so that every reason is tested on machines without a GPU.
#pragma once

#include <optional>
#include <string>

namespace duomap::gpu {

/// What CUDA answered when it was asked for its devices. Numbers instead of CUDA's types, so that this
/// compiles without CUDA.
struct driver_facts {
  bool built_with_cuda = false;
  int driver_version = 0;                      ///< what the driver supports: 12040 is 12.4; 0: no driver
  int runtime_version = 0;                     ///< what this program was built with
  int error = 0;                               ///< cudaGetDeviceCount's answer; 0: success
  std::string error_name;                      ///< "cudaErrorNoDevice"
  std::string error_text;                      ///< CUDA's description of it
  int device_count = 0;                        ///< meaningful when error is 0
  std::optional<std::string> visible_devices;  ///< environment variable CUDA_VISIBLE_DEVICES, when it is set
};

enum class driver_status {
  ready,  ///< at least one device
  built_without_cuda,
  no_driver,
  driver_too_old,
  no_visible_device,  ///< a driver that shows no device
  failed,             ///< anything else
};

/// `reason` says what is wrong, with the versions, and what to do; it is empty when ready.
struct driver_verdict {
  driver_status status = driver_status::failed;
  std::string reason;
};

[[nodiscard]] driver_verdict classify(const driver_facts& facts);

/// 12040 -> "12.4".
[[nodiscard]] std::string version_text(int version);

}  // namespace duomap::gpu
