// Trains support vector machines on one GPU.
// host only
#pragma once

#include "core/config.hpp"
#include "numeric/svm/svm_problem.hpp"

#include <cstdint>

#if DUOMAP_HAS_CUDA
namespace duomap {

/// The points in a working set. The steps of a round choose among these points only.
inline constexpr unsigned gpu_working_set = 192;

/// The most of a GPU that training uses; 0: all. With limits, a large GPU can show the speed of a small one.
struct gpu_training_limits {
  unsigned multiprocessors = 0;
  std::uint64_t shared_bytes = 0;  ///< shared memory of a block
  std::uint64_t memory_bytes = 0;
  /// The longest time for copying all rows to the device once, when they do not stay there; 0: no limit.
  double stream_seconds = 0;
};

/// Solves the problem on a GPU. The kernel matrix stays in the device's memory, in float32; f and multipliers
/// are float64. One resident kernel does all steps, 32,768 in a launch (some 20 ms), so that training can be
/// cancelled. At the end f is computed anew from the multipliers, and the criterion has to hold for this f.
///
/// If the matrix is larger than the memory, the blocked method keeps the rows for which there is room. Rows
/// that a working set lacks replace the rows computed longest ago. If the problem's own rows do not fit
/// beside 384 kernel rows, they stay on the host, and come in parts whenever kernel rows are missing
/// (svm_solution::passes).
///
/// Changes the calling thread's current CUDA device.
/// @throws out_of_memory, with the size, when 384 rows of the kernel matrix (for other methods: the whole
/// matrix) do not fit into the memory, or when the problem's rows would come too slowly; interrupted;
/// device_lost
[[nodiscard]] svm_solution train_on_gpu(const svm_problem& problem, int device,
                                        const gpu_training_limits& limits = {});

}  // namespace duomap
#endif
