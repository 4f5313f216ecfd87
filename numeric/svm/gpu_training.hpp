// Trains support vector machines on one GPU.
// host only
#pragma once

#include "core/config.hpp"
#include "numeric/svm/svm_problem.hpp"

#include <cstdint>

#if DUOMAP_HAS_CUDA
namespace duomap {

/// Points in a working set: the steps of a round choose among these only.
inline constexpr unsigned gpu_working_set = 192;

/// The most of a GPU that training uses; 0: all of it. So a large GPU can show how a small one performs.
struct gpu_training_limits {
  unsigned multiprocessors = 0;
  std::uint64_t shared_bytes = 0;  ///< for a block
  std::uint64_t memory_bytes = 0;
  /// The longest time that bringing all rows to the device once may take, when they do not fit; 0: no limit.
  double stream_seconds = 0;
};

/// Solves the problem on a GPU. Its kernel matrix stays in the device's memory, in float32; f and multipliers
/// are float64. One resident kernel does all steps, 32,768 in a launch (some 20 ms), so that training can be
/// cancelled. At the end f is computed anew from the multipliers, and the criterion has to hold for this f.
///
/// If the matrix is larger than the memory, the blocked method keeps as many of its rows as fit. Rows
/// computed longest ago make room for rows that a working set lacks. If the problem's own rows do not fit
/// beside 384 rows of the matrix, they stay on the host and come to the device in parts, whenever kernel rows
/// are missing (svm_solution::passes).
///
/// Changes the calling thread's current CUDA device.
/// @throws out_of_memory, with the size, when 384 rows of the kernel matrix (for other methods: the whole
/// matrix) do not fit into the memory, or when the problem's rows would come too slowly; interrupted;
/// device_lost
[[nodiscard]] svm_solution train_on_gpu(const svm_problem& problem, int device,
                                        const gpu_training_limits& limits = {});

}  // namespace duomap
#endif
