// Makes one call of CUDA's runtime fail, or one start of a thread. A program that links fail_cuda.cpp with
// the linker's option --wrap for its functions (CMakeLists.txt) calls them instead of CUDA's.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace duomap::test {

enum class cuda_call {
  device_memory,
  page_locked,
  copy,
  launch,
  event,
  wait,
  question,
  making,
  thread,  ///< that std::thread starts, none of CUDA's own
};

inline constexpr std::array cuda_calls = {
    cuda_call::device_memory, cuda_call::page_locked, cuda_call::copy,   cuda_call::launch, cuda_call::event,
    cuda_call::wait,          cuda_call::question,    cuda_call::making, cuda_call::thread};

enum class cuda_fault {
  fails,         ///< with the error that such a call fails with on a device that stays usable
  loses_device,  ///< says cudaErrorIllegalAddress, as all later calls do
  is_slow,       ///< does what it should 20 ms later
  hangs,  ///< does so after disarm(); a question whether something has ended is answered "not yet" until then
};

[[nodiscard]] std::string_view name(cuda_call call) noexcept;
[[nodiscard]] std::string_view name(cuda_fault fault) noexcept;

/// The call with that number, from 1, fails so. Calls of all threads count, from now on. With number 0 none
/// fails.
void arm(cuda_call call, std::uint64_t number, cuda_fault fault) noexcept;

/// Lets no further call fail. Returns whether the call that was to fail came.
bool disarm() noexcept;

/// Calls of a kind since arm().
[[nodiscard]] std::uint64_t count_of(cuda_call call) noexcept;

}  // namespace duomap::test
