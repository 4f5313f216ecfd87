// The GPUs of this process, or the reason why there are none.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace duomap::gpu {

/// A GPU as CUDA lists it, with the properties that need no context.
struct device_info {
  int index = 0;     ///< CUDA's number, after CUDA_VISIBLE_DEVICES
  std::string name;  ///< for example "NVIDIA H200"
  int major = 0;     ///< compute capability major.minor
  int minor = 0;
  std::uint64_t memory_bytes = 0;  ///< all device memory
  std::uint64_t l2_bytes = 0;      ///< second-level cache
  int multiprocessors = 0;
  std::string pci_bus;  ///< for example "0000:3b:00.0"
  std::string uuid;     ///< "GPU-2f5c...", the same in any slot and with any number
};

struct discovery {
  std::vector<device_info> devices;
  std::string reason;  ///< why there is no GPU, or why one was left out, and the remedy; else empty
  int driver_version =
      0;  ///< CUDA version that the driver supports, 12040 for 12.4; 0: no driver or no CUDA build
};

/// Asks CUDA for its devices once; later calls return the same answer. Never throws: if there is no memory
/// for the list, the list is empty. Any thread may call it. Loading the driver takes tens of milliseconds or
/// more, so a run that wants no GPU must not call discover(). discover() makes no context, which would take
/// device memory and more time.
[[nodiscard]] const discovery& discover() noexcept;

/// Whether discover() has returned once, so that it now takes no time. Any thread may call it.
[[nodiscard]] bool is_discovered() noexcept;

/// Returns those of the GPUs with these numbers that CUDA has found.
[[nodiscard]] std::vector<device_info> discovered(const std::vector<int>& indices);

/// The current device memory, in bytes.
struct memory_info {
  std::uint64_t free_bytes = 0;
  std::uint64_t total_bytes = 0;
};

/// Asks a device for its memory. The first call makes a context on it, which takes some hundred milliseconds.
/// Leaves the calling thread's current device unchanged. Throws the errors of gpu/runtime/error.hpp, or
/// device_unavailable in a build without CUDA.
[[nodiscard]] memory_info read_memory(int device_index);

/// The CUDA version that this program was built with: 13000 for 13.0; 0: built without CUDA.
[[nodiscard]] int toolkit_version() noexcept;

}  // namespace duomap::gpu
