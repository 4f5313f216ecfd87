// Decides whether CUDA can be used, and writes the reason.
#include "gpu/device/driver_status.hpp"

#include "gpu/runtime/error_code.hpp"

namespace duomap::gpu {
namespace {

/// Says how the user's CUDA_VISIBLE_DEVICES hides all devices; empty if it is not set.
std::string visibility_hint(const driver_facts& facts) {
  if (!facts.visible_devices) return {};
  if (facts.visible_devices->empty() || *facts.visible_devices == "-1") {
    return "CUDA_VISIBLE_DEVICES='" + *facts.visible_devices + "' hides every GPU; unset it or list some";
  }
  return "CUDA_VISIBLE_DEVICES='" + *facts.visible_devices +
         "' leaves none; unset it or list GPUs that `nvidia-smi -L` shows";
}

driver_verdict no_visible_device(const driver_facts& facts) {
  const std::string hint = visibility_hint(facts);
  return {driver_status::no_visible_device,
          "no visible GPU: the NVIDIA driver (CUDA " + version_text(facts.driver_version) +
              ") shows no device; " +
              (hint.empty() ? "check `nvidia-smi -L`, and in a container that it was started with its GPUs"
                            : hint)};
}

/// Returns the remedy for an error that has one known cause, and general advice for other errors.
std::string advice(int code) {
  switch (code) {
    case error_code::initialization:
    case error_code::unknown:
      return "check that `nvidia-smi` works and that /dev/nvidia* can be opened; reload the driver or reboot";
    case error_code::stub_library:
      return "the libcuda.so found first is the linker's stub: take CUDA's lib64/stubs out of "
             "LD_LIBRARY_PATH";
    case error_code::devices_unavailable:
      return "another process holds the GPU in exclusive mode; wait for it, or see `nvidia-smi -q -d "
             "COMPUTE`";
    case error_code::system_not_ready:
      return "the NVSwitch fabric is not up: start the service nvidia-fabricmanager";
    case error_code::system_driver_mismatch:
      return "the driver's library and kernel module differ, as after an update: reboot, or reload the "
             "module";
    case error_code::compat_not_supported:
      return "CUDA's compatibility package does not support this GPU: update the driver, or remove package "
             "cuda-compat (or its folder from LD_LIBRARY_PATH)";
    default:
      return "run `nvidia-smi` to see whether the driver works";
  }
}

}  // namespace

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

driver_verdict classify(const driver_facts& facts) {
  if (!facts.built_with_cuda) {
    return {
        driver_status::built_without_cuda,
        "this duomap was built without CUDA; install the CUDA toolkit (nvcc) and build again to use GPUs"};
  }
  if (facts.error == error_code::success) {
    if (facts.device_count > 0) return {driver_status::ready, {}};
    return no_visible_device(facts);
  }
  if (facts.error == error_code::no_device) return no_visible_device(facts);

  // Without a driver, CUDA reports the error "insufficient driver" and version 0. Version 0 with another
  // error only means that the version is unreadable.
  if (facts.error == error_code::insufficient_driver && facts.driver_version == 0) {
    return {driver_status::no_driver,
            "no NVIDIA driver: libcuda.so.1 cannot be loaded; install the driver (Debian package "
            "nvidia-driver), or "
            "in a container start it with its GPUs"};
  }
  if (facts.error == error_code::insufficient_driver || facts.error == error_code::newer_driver_needed) {
    // A driver is new enough if it has the major version of this program's CUDA.
    const int needed = facts.runtime_version / 1000 * 1000;
    return {driver_status::driver_too_old,
            "NVIDIA driver too old: it supports CUDA " + version_text(facts.driver_version) +
                ", and this duomap needs " + version_text(needed) + " or newer; update the driver"};
  }

  std::string reason = "CUDA cannot be used: " + facts.error_name + " (" + std::to_string(facts.error) + ")";
  if (!facts.error_text.empty()) reason += ", " + facts.error_text;
  reason += "; " + advice(facts.error);
  const std::string hint = visibility_hint(facts);
  if (facts.error == error_code::invalid_device && !hint.empty()) reason += "; " + hint;
  return {driver_status::failed, reason};
}

}  // namespace duomap::gpu
