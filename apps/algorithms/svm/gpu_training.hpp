// Training of support vector machines on one GPU.
// host only
#pragma once

#include "apps/algorithms/svm/svm_problem.hpp"
#include "core/config.hpp"

#include <cstdint>

#if DUOMAP_HAS_CUDA
namespace duomap {

/// Points that steps are taken among while all others wait.
inline constexpr unsigned gpu_working_set = 192;

/// What training takes of a GPU at most; 0: what there is. So a large GPU shows what a small one would do.
struct gpu_training_limits {
  unsigned multiprocessors = 0;
  std::uint64_t shared_bytes = 0;  ///< of a block
  std::uint64_t memory_bytes = 0;
  /// What it may take to bring rows that do not fit to the device once.
  double stream_seconds = 0;
};

/// Solves the problem on a GPU. Its kernel matrix stays in the device's memory, in float32; f and multipliers
/// are float64. One resident kernel does all steps, 32,768 at a time (some 20 ms), so that it can be
/// cancelled. At the end f is computed anew from the multipliers, and the criterion has to hold for that.
///
/// Where the matrix is larger than the memory, the blocked method keeps as many of its rows as there is room
/// for; those computed longest ago make room for those that a working set lacks. Where the memory has no room
/// for the problem's own rows beside 384 of these, they stay on the host and come to the device in parts,
/// whenever kernel rows are lacking (svm_solution::passes).
///
/// Changes the calling thread's current CUDA device.
/// @throws out_of_memory when 384 rows of the kernel matrix, or with other methods the whole of it, are
/// larger than the memory, saying how much it is, or when the problem's rows come too slowly; interrupted;
/// device_lost
[[nodiscard]] svm_solution train_on_gpu(const svm_problem& problem, int device,
                                        const gpu_training_limits& limits = {});

}  // namespace duomap
#endif
