// Page-locks host memory in place, through CUDA. host only
#pragma once

#include "core/byte_view.hpp"

#include <string>

namespace duomap::gpu {

/// Page-locks `memory` for all GPUs, and makes a context on a GPU. `memory` must not be empty and may be
/// read-only. Returns an empty text on success, else the reason for the failure, as a clause. CUDA refuses
/// memory that is locked already.
[[nodiscard]] std::string lock_pages(byte_view memory);

/// Unlocks the memory that begins at `begin`. All copies of it by GPUs must be done. Prints a failure on
/// standard error.
void unlock_pages(const char* begin) noexcept;

}  // namespace duomap::gpu
