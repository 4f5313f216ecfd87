// Asks CUDA for its version and its devices. In builds without CUDA the answers say that CUDA is missing.
#pragma once

#include "gpu/device/device.hpp"
#include "gpu/device/driver_status.hpp"
#include "gpu/device/peers.hpp"
#include "gpu/runtime/huge_pages.hpp"

#include <string>
#include <vector>

namespace duomap::gpu {

/// Asks for CUDA's versions, the devices and CUDA_VISIBLE_DEVICES. Makes no context.
[[nodiscard]] driver_facts query_driver();

/// A device, or the reason why it cannot be used: "GPU 1: cudaError..., ...".
struct device_answer {
  device_info device;
  std::string problem;
};

/// Asks for a device's properties. Makes no context.
[[nodiscard]] device_answer query_device(int index);

/// Asks how a device reaches the memory of another device. Makes no context.
[[nodiscard]] peer_link query_peer(int from, int to);

/// Makes a context on a device for all threads of the process, and makes the device the calling thread's
/// current one. Returns false on failure; the next run that uses the device reports the error.
[[nodiscard]] bool make_context(int index);

/// Makes the memory pool of the calling thread's current device. This takes an H200 10 ms, which a run's
/// first allocation would wait for otherwise. Ignores failures, because that allocation reports them.
void make_memory_pool();

/// Allocates the pages of the first buffers that feed a GPU. Needs no context.
[[nodiscard]] std::vector<huge_pages> make_first_pages();

/// Page-locks the pages and gives them to the process's pool (gpu/runtime/pinned_memory.cuh), so that no run
/// waits for page-locking. The GPU must have a context. If locking fails, the run that needs the memory
/// allocates it again.
void lock_first_pages(int index, std::vector<huge_pages> pages);

}  // namespace duomap::gpu
