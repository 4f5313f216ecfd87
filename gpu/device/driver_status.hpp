// Decides whether CUDA can be used here and, if not, writes the reason and the remedy. A pure function, so
// that tests cover every reason on machines without a GPU.
#pragma once

#include <optional>
#include <string>

namespace duomap::gpu {

/// CUDA's answers when it is asked for its devices. Numbers instead of CUDA's types, so that this compiles
/// without CUDA.
struct driver_facts {
  bool built_with_cuda = false;
  int driver_version = 0;                      ///< CUDA version of the driver: 12040 is 12.4; 0: no driver
  int runtime_version = 0;                     ///< CUDA version of this program
  int error = 0;                               ///< cudaGetDeviceCount's answer; 0: success
  std::string error_name;                      ///< "cudaErrorNoDevice"
  std::string error_text;                      ///< CUDA's description of it
  int device_count = 0;                        ///< meaningful when error is 0
  std::optional<std::string> visible_devices;  ///< environment variable CUDA_VISIBLE_DEVICES, if it is set
};

enum class driver_status {
  ready,  ///< at least one device
  built_without_cuda,
  no_driver,
  driver_too_old,
  no_visible_device,  ///< a driver that shows no device
  failed,             ///< anything else
};

/// The outcome. `reason` gives the cause, with the versions, and the remedy; it is empty if CUDA is ready.
struct driver_verdict {
  driver_status status = driver_status::failed;
  std::string reason;
};

[[nodiscard]] driver_verdict classify(const driver_facts& facts);

/// The text of a version: "12.4" for 12040.
[[nodiscard]] std::string version_text(int version);

}  // namespace duomap::gpu
