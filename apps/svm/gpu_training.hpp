// Training of support vector machines on one GPU.
// host only
#pragma once

#include "apps/svm/svm_problem.hpp"
#include "core/config.hpp"

#include <cstdint>

#if DUOMAP_HAS_CUDA
namespace duomap {

/// Bytes of device memory that train_on_gpu() needs for a problem: the whole kernel matrix and its rows.
[[nodiscard]] std::uint64_t gpu_training_bytes(const svm_problem& problem);

/// Solves the problem on a GPU. Its whole kernel matrix stays in the device's memory, in float32; f and
/// multipliers are float64. One resident kernel does all steps, 32,768 at a time (some 20 ms), so
/// that it can be cancelled. At the end f is computed anew from the multipliers, and the criterion has to
/// hold for that.
///
/// Changes the calling thread's current CUDA device.
/// @throws out_of_memory when the kernel matrix is larger than the memory, saying how much it is;
/// interrupted; device_lost
[[nodiscard]] svm_solution train_on_gpu(const svm_problem& problem, int device);

}  // namespace duomap
#endif
