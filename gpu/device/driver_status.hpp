// Decides whether CUDA can be used here and, if not, writes the reason and the remedy. A pure function, so
// that tests cover every reason on machines without a GPU.
#pragma once

#include <optional>
#include <string>

namespace duomap::gpu {

/// CUDA's answers when duomap asks for its devices. The members are no types of CUDA, so that this file
/// compiles without CUDA.
struct driver_facts {
  bool built_with_cuda = false;
  int driver_version = 0;                      ///< CUDA version of the driver: 12040 is 12.4; 0: no driver
  int runtime_version = 0;                     ///< CUDA version of this program
  int error = 0;                               ///< cudaGetDeviceCount's answer; 0: success
  std::string error_name;                      ///< for example "cudaErrorNoDevice"
  std::string error_text;                      ///< CUDA's description of the error
  int device_count = 0;                        ///< the number of devices, if `error` is 0
  std::optional<std::string> visible_devices;  ///< environment variable CUDA_VISIBLE_DEVICES, if it is set
};

enum class driver_status {
  ready,  ///< CUDA shows at least one device
  built_without_cuda,
  no_driver,
  driver_too_old,
  no_visible_device,  ///< there is a driver, but it shows no device
  failed,             ///< any other error
};

/// The outcome. `reason` gives the cause, with the versions, and the remedy; empty if CUDA is ready.
struct driver_verdict {
  driver_status status = driver_status::failed;
  std::string reason;
};

[[nodiscard]] driver_verdict classify(const driver_facts& facts);

/// The text of a version: "12.4" for 12040.
[[nodiscard]] std::string version_text(int version);

}  // namespace duomap::gpu
