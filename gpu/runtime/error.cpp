// Decides by CUDA's code which exception a failure becomes, and whether the device is lost.
#include "gpu/runtime/error.hpp"

#include "gpu/runtime/error_code.hpp"

namespace duomap::gpu {

bool is_sticky(int code) noexcept {
  switch (code) {
    // The hardware stopped a kernel. CUDA's documentation says that the process then must be started again to
    // go on using CUDA.
    case error_code::illegal_address:
    case error_code::launch_timeout:
    case error_code::assert_triggered:
    case error_code::hardware_stack_error:
    case error_code::illegal_instruction:
    case error_code::misaligned_address:
    case error_code::invalid_address_space:
    case error_code::invalid_pc:
    case error_code::launch_failure:
    case error_code::tensor_memory_leak:
    // The hardware failed: the contents of device memory are wrong, or the device fell off its bus.
    case error_code::ecc_uncorrectable:
    case error_code::nvlink_uncorrectable:
    case error_code::contained:
    case error_code::external_device:
    // The context is gone: destroyed by other code in this process, or by the server that shares the device.
    case error_code::context_invalid:
    case error_code::context_destroyed:
    case error_code::mps_rpc_failure:
    case error_code::mps_client_terminated:
    // CUDA does not know the cause, so the contents of device memory cannot be trusted.
    case error_code::unknown:
      return true;
    default:
      return false;
  }
}

void throw_failure(const failed_cuda_call& failure, const std::string& what, call_site where) {
  const std::string message = what + " failed at " + where.file + ":" + std::to_string(where.line) + ": " +
                              failure.name + " (" + std::to_string(failure.code) + "), " + failure.text;
  if (failure.code == error_code::memory_allocation) {
    throw device_out_of_memory(message +
                               "; free memory on the device, or let the CPU take part (--device cpu+gpu)");
  }
  if (is_sticky(failure.code)) {
    throw device_lost(message + "; this process cannot use the device any more");
  }
  throw cuda_error(failure, message);
}

}  // namespace duomap::gpu
