// Which GPUs there are, or why there is none.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace duomap::gpu {

/// A GPU as CUDA lists it; what it says without a context being made on it.
struct device_info {
  int index = 0;     ///< CUDA's number, after CUDA_VISIBLE_DEVICES
  std::string name;  ///< "NVIDIA H200"
  int major = 0;     ///< compute capability major.minor
  int minor = 0;
  std::uint64_t memory_bytes = 0;  ///< device memory in all
  std::uint64_t l2_bytes = 0;      ///< second-level cache
  int multiprocessors = 0;
  std::string pci_bus;  ///< "0000:3b:00.0"
  std::string uuid;     ///< "GPU-2f5c...": the same in whatever slot and under whatever number
};

/// What discover() found.
struct discovery {
  std::vector<device_info> devices;
  std::string reason;  ///< why there is none, or why one was left out, and what to do; else empty
  int driver_version =
      0;  ///< CUDA version the driver supports, 12040 for 12.4; 0: no driver or no CUDA build
};

/// Asks CUDA for its devices, once; later calls return the same. Never throws: without memory for the list,
/// the list is empty. Any thread may call it. Loading the driver takes tens of milliseconds and more, so a
/// run that does not want a GPU must not call it; it makes no context, which would take device memory and
/// longer still.
[[nodiscard]] const discovery& discover() noexcept;

/// Whether discover() has returned once, so that it takes no time. Any thread may call it.
[[nodiscard]] bool is_discovered() noexcept;

/// Of these numbers, those that were found.
[[nodiscard]] std::vector<device_info> discovered(const std::vector<int>& indices);

/// Device memory in bytes, now.
struct memory_info {
  std::uint64_t free_bytes = 0;
  std::uint64_t total_bytes = 0;
};

/// Asks a device for its memory. Makes a context on it (some hundred milliseconds for the first call) and
/// leaves the calling thread's current device as it was. Throws what gpu/runtime/error.hpp says, or
/// device_unavailable in a build without CUDA.
[[nodiscard]] memory_info read_memory(int device_index);

/// CUDA version this program was built with: 13000 for 13.0; 0: built without CUDA.
[[nodiscard]] int toolkit_version() noexcept;

}  // namespace duomap::gpu
