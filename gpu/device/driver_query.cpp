// Asks CUDA for its devices. No other file of discovery calls CUDA. In builds without CUDA the functions
// report that CUDA is missing.
#include "gpu/device/driver_query.hpp"

#include "core/error.hpp"

#if DUOMAP_HAS_CUDA

#include "gpu/feed/feed_policy.hpp"
#include "gpu/runtime/block_pool.hpp"
#include "gpu/runtime/buffer.cuh"
#include "gpu/runtime/check.cuh"
#include "gpu/runtime/error_code.hpp"
#include "gpu/runtime/pinned_memory.cuh"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace duomap::gpu {
namespace {

static_assert(error_code::success == cudaSuccess);
static_assert(error_code::memory_allocation == cudaErrorMemoryAllocation);
static_assert(error_code::initialization == cudaErrorInitializationError);
static_assert(error_code::stub_library == cudaErrorStubLibrary);
static_assert(error_code::insufficient_driver == cudaErrorInsufficientDriver);
static_assert(error_code::newer_driver_needed == cudaErrorCallRequiresNewerDriver);
static_assert(error_code::devices_unavailable == cudaErrorDevicesUnavailable);
static_assert(error_code::no_device == cudaErrorNoDevice);
static_assert(error_code::invalid_device == cudaErrorInvalidDevice);
static_assert(error_code::context_invalid == cudaErrorDeviceUninitialized);
static_assert(error_code::ecc_uncorrectable == cudaErrorECCUncorrectable);
static_assert(error_code::nvlink_uncorrectable == cudaErrorNvlinkUncorrectable);
static_assert(error_code::contained == cudaErrorContained);
static_assert(error_code::illegal_address == cudaErrorIllegalAddress);
static_assert(error_code::launch_timeout == cudaErrorLaunchTimeout);
static_assert(error_code::context_destroyed == cudaErrorContextIsDestroyed);
static_assert(error_code::assert_triggered == cudaErrorAssert);
static_assert(error_code::hardware_stack_error == cudaErrorHardwareStackError);
static_assert(error_code::illegal_instruction == cudaErrorIllegalInstruction);
static_assert(error_code::misaligned_address == cudaErrorMisalignedAddress);
static_assert(error_code::invalid_address_space == cudaErrorInvalidAddressSpace);
static_assert(error_code::invalid_pc == cudaErrorInvalidPc);
static_assert(error_code::launch_failure == cudaErrorLaunchFailure);
static_assert(error_code::tensor_memory_leak == cudaErrorTensorMemoryLeak);
static_assert(error_code::system_not_ready == cudaErrorSystemNotReady);
static_assert(error_code::system_driver_mismatch == cudaErrorSystemDriverMismatch);
static_assert(error_code::compat_not_supported == cudaErrorCompatNotSupportedOnDevice);
static_assert(error_code::mps_rpc_failure == cudaErrorMpsRpcFailure);
static_assert(error_code::mps_client_terminated == cudaErrorMpsClientTerminated);
static_assert(error_code::external_device == cudaErrorExternalDevice);
static_assert(error_code::unknown == cudaErrorUnknown);

/// Formats an id as nvidia-smi does: "GPU-" and 32 hexadecimal digits in groups of 8, 4, 4, 4 and 12.
std::string uuid_text(const cudaUUID_t& id) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string text = "GPU";
  for (std::size_t i = 0; i < sizeof id.bytes; ++i) {
    if (i == 0 || i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    const auto byte = static_cast<unsigned char>(id.bytes[i]);
    text += {digits[byte >> 4], digits[byte & 15]};
  }
  return text;
}

std::uint64_t size_of(auto bytes) { return bytes > 0 ? static_cast<std::uint64_t>(bytes) : 0; }

}  // namespace

driver_facts query_driver() {
  driver_facts facts;
  facts.built_with_cuda = true;
  facts.runtime_version = toolkit_version();
  // Zero stands for an unknown version; CUDA too reports zero if there is no driver.
  if (cudaDriverGetVersion(&facts.driver_version) != cudaSuccess) facts.driver_version = 0;
  const cudaError_t answer = cudaGetDeviceCount(&facts.device_count);
  // Clears the error, which the CUDA runtime would report again at the first launch.
  static_cast<void>(cudaGetLastError());
  facts.error = static_cast<int>(answer);
  facts.error_name = cudaGetErrorName(answer);
  facts.error_text = cudaGetErrorString(answer);
  if (answer != cudaSuccess) facts.device_count = 0;
  if (const char* const visible = std::getenv("CUDA_VISIBLE_DEVICES"); visible != nullptr) {
    facts.visible_devices = visible;
  }
  return facts;
}

device_answer query_device(int index) {
  device_answer answer;
  cudaDeviceProp properties{};
  const cudaError_t status = cudaGetDeviceProperties(&properties, index);
  if (status != cudaSuccess) {
    static_cast<void>(cudaGetLastError());
    answer.problem = "GPU " + std::to_string(index) + " cannot be used: " + cudaGetErrorName(status) + ", " +
                     cudaGetErrorString(status) + "; see `nvidia-smi`";
    return answer;
  }
  device_info& device = answer.device;
  device.index = index;
  device.name = properties.name;
  device.major = properties.major;
  device.minor = properties.minor;
  device.memory_bytes = properties.totalGlobalMem;
  device.l2_bytes = size_of(properties.l2CacheSize);
  device.multiprocessors = properties.multiProcessorCount;
  char bus[32];
  std::snprintf(bus, sizeof bus, "%04x:%02x:%02x.0", static_cast<unsigned>(properties.pciDomainID),
                static_cast<unsigned>(properties.pciBusID), static_cast<unsigned>(properties.pciDeviceID));
  device.pci_bus = bus;
  device.uuid = uuid_text(properties.uuid);
  return answer;
}

peer_link query_peer(int from, int to) {
  int access = 0;
  int atomics = 0;
  const bool answered =
      cudaDeviceGetP2PAttribute(&access, cudaDevP2PAttrAccessSupported, from, to) == cudaSuccess &&
      cudaDeviceGetP2PAttribute(&atomics, cudaDevP2PAttrNativeAtomicSupported, from, to) == cudaSuccess;
  static_cast<void>(cudaGetLastError());
  if (!answered || access == 0) return peer_link::none;
  return atomics != 0 ? peer_link::with_atomics : peer_link::direct;
}

bool make_context(int index) {
  const bool made = cudaSetDevice(index) == cudaSuccess && cudaFree(nullptr) == cudaSuccess;
  static_cast<void>(cudaGetLastError());
  return made;
}

void make_memory_pool() {
  void* first = nullptr;
  if (cudaMallocAsync(&first, 1, nullptr) == cudaSuccess) static_cast<void>(cudaFreeAsync(first, nullptr));
  static_cast<void>(cudaGetLastError());
}

std::vector<huge_pages> make_first_pages() {
  // Twice the usual number of buffers, because a thread that loses its core keeps its buffer. Making a buffer
  // during a run costs 1.5 ms.
  std::vector<huge_pages> all(std::size_t{2} * staging_sizes{}.buffers);
  for (huge_pages& one : all) one = huge_pages(staging_sizes{}.piece_bytes);
  return all;
}

void lock_first_pages(int index, std::vector<huge_pages> pages) {
  // Without make_context(), this thread would make a context on the first GPU.
  if (!make_context(index)) return;
  for (huge_pages& one : pages) lock_for_pool(std::move(one));
  try {
    const pinned_buffer small(block_pool::smallest);
  } catch (const error&) {
    // Failures are ignored here: the run that needs the memory reports them.
  }
}

memory_info read_memory(int device_index) {
  std::size_t free_bytes = 0;
  std::size_t total_bytes = 0;
  cudaError_t answer = cudaSuccess;
  // The work has a thread of its own. Setting a device makes a context on it, so restoring the caller's
  // device could make a second context, on a device that no run uses.
  try {
    std::thread([&] {
      answer = cudaSetDevice(device_index);
      if (answer == cudaSuccess) answer = cudaMemGetInfo(&free_bytes, &total_bytes);
      static_cast<void>(cudaGetLastError());
    }).join();
  } catch (const std::system_error& none_left) {
    throw device_unavailable("the system started no thread to ask GPU " + std::to_string(device_index) +
                             " for its memory (" + none_left.what() + ")");
  }
  check(answer, [&] { return "asking GPU " + std::to_string(device_index) + " for its memory"; });
  return {free_bytes, total_bytes};
}

int toolkit_version() noexcept { return CUDART_VERSION; }

}  // namespace duomap::gpu

#else

namespace duomap::gpu {

driver_facts query_driver() { return {}; }

device_answer query_device(int index) {
  return {{}, "GPU " + std::to_string(index) + " cannot be asked: " + classify({}).reason};
}

peer_link query_peer(int, int) { return peer_link::none; }

bool make_context(int) { return false; }

void make_memory_pool() {}

std::vector<huge_pages> make_first_pages() { return {}; }

void lock_first_pages(int, std::vector<huge_pages>) {}

memory_info read_memory(int device_index) {
  throw device_unavailable("GPU " + std::to_string(device_index) +
                           " cannot be asked for its memory: " + classify({}).reason);
}

int toolkit_version() noexcept { return 0; }

}  // namespace duomap::gpu

#endif
