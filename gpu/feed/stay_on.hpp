// Keeps a thread that feeds a GPU on the cores near it. host safe
#pragma once

#include <vector>

namespace duomap::gpu {

/// Binds the calling thread to these CPUs until it ends. This changes speed only: if the list is empty or the
/// system refuses, the thread may still run on all its CPUs.
void stay_on(const std::vector<unsigned>& cpus) noexcept;

}  // namespace duomap::gpu
