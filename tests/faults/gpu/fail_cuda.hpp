// Makes a call of CUDA's runtime fail, or the start of a thread. A program links fail_cuda.cpp with the
// option --wrap (CMakeLists.txt), so that it calls these functions instead of CUDA's.
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
  thread,  ///< a thread that std::thread starts, not one of CUDA's own
};

inline constexpr std::array cuda_calls = {
    cuda_call::device_memory, cuda_call::page_locked, cuda_call::copy,   cuda_call::launch, cuda_call::event,
    cuda_call::wait,          cuda_call::question,    cuda_call::making, cuda_call::thread};

enum class cuda_fault {
  fails,         ///< with the call's usual error; the device stays usable
  loses_device,  ///< this call and all later ones give cudaErrorIllegalAddress
  is_slow,       ///< is made 20 ms later
  hangs,         ///< returns only after disarm(); a question whether work has ended gets "not yet" until then
};

[[nodiscard]] std::string_view name(cuda_call call) noexcept;
[[nodiscard]] std::string_view name(cuda_fault fault) noexcept;

/// From now on, counts the calls of all threads from 1, and gives call `number` the fault; with number 0 none
/// fails.
void arm(cuda_call call, std::uint64_t number, cuda_fault fault) noexcept;

/// Stops the faults. Returns whether the call that should fail was made.
bool disarm() noexcept;

/// The number of calls of a kind since arm().
[[nodiscard]] std::uint64_t count_of(cuda_call call) noexcept;

}  // namespace duomap::test
