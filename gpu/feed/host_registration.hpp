// Page-locking memory where it lies, through CUDA. host only
#pragma once

#include "core/byte_view.hpp"

#include <string>

namespace duomap::gpu {

/// Locks `memory`, not empty, for all GPUs; such as can only be read, too. Makes a context on a GPU. Returns
/// why it could not, as a clause; empty when it is locked. CUDA refuses what is locked already.
[[nodiscard]] std::string lock_pages(byte_view memory);

/// Unlocks what begins at `begin`, when GPUs have copied what they were to copy. Says on standard error what
/// fails.
void unlock_pages(const char* begin) noexcept;

}  // namespace duomap::gpu
