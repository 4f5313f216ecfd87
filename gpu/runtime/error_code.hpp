// The values of cudaError_t that duomap decides by, for code that compiles without CUDA. driver_query.cpp
// compares them with CUDA's own in builds with CUDA.
#pragma once

namespace duomap::gpu::error_code {

inline constexpr int success = 0;
inline constexpr int memory_allocation = 2;
inline constexpr int initialization = 3;
inline constexpr int stub_library = 34;
inline constexpr int insufficient_driver = 35;
inline constexpr int newer_driver_needed = 36;
inline constexpr int devices_unavailable = 46;
inline constexpr int no_device = 100;
inline constexpr int invalid_device = 101;
inline constexpr int context_invalid = 201;
inline constexpr int ecc_uncorrectable = 214;
inline constexpr int nvlink_uncorrectable = 220;
inline constexpr int contained = 226;
inline constexpr int illegal_address = 700;
inline constexpr int launch_timeout = 702;
inline constexpr int context_destroyed = 709;
inline constexpr int assert_triggered = 710;
inline constexpr int hardware_stack_error = 714;
inline constexpr int illegal_instruction = 715;
inline constexpr int misaligned_address = 716;
inline constexpr int invalid_address_space = 717;
inline constexpr int invalid_pc = 718;
inline constexpr int launch_failure = 719;
inline constexpr int tensor_memory_leak = 721;
inline constexpr int system_not_ready = 802;
inline constexpr int system_driver_mismatch = 803;
inline constexpr int compat_not_supported = 804;
inline constexpr int mps_rpc_failure = 806;
inline constexpr int mps_client_terminated = 810;
inline constexpr int external_device = 911;
inline constexpr int unknown = 999;

}  // namespace duomap::gpu::error_code
