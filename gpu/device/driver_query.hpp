// The questions that discovery puts to CUDA. The only file with an answer for builds without CUDA.
#pragma once

#include "gpu/device/device.hpp"
#include "gpu/device/driver_status.hpp"
#include "gpu/device/peers.hpp"
#include "gpu/runtime/huge_pages.hpp"

#include <string>
#include <vector>

namespace duomap::gpu {

/// Asks for the versions, the devices and the environment. Makes no context.
[[nodiscard]] driver_facts query_driver();

/// A device, or what is wrong with it: "GPU 1: cudaError..., ...".
struct device_answer {
  device_info device;
  std::string problem;
};

/// Asks for a device's properties. Makes no context.
[[nodiscard]] device_answer query_device(int index);

/// How a device reaches the memory of another one. Makes no context.
[[nodiscard]] peer_link query_peer(int from, int to);

/// Makes a context on a device, for all threads of the process; the calling thread's current device is that
/// one afterwards. False when that fails: the next run that uses the device says why.
[[nodiscard]] bool make_context(int index);

/// Makes the pool that runs take the memory of the calling thread's current device from. The first request
/// would make it, which takes an H200 10 ms. A failure is the next request's.
void make_memory_pool();

/// Makes the pages of the memory that feeding a GPU begins with, which needs no context.
[[nodiscard]] std::vector<huge_pages> make_first_pages();

/// Locks them for the process's page-locked memory (gpu/runtime/pinned_memory.cuh), so that no run waits for
/// it, by a GPU that has a context. What fails is asked for again by the run that needs it.
void lock_first_pages(int index, std::vector<huge_pages> pages);

}  // namespace duomap::gpu
