// Classifies by support vectors on one GPU: computes weighted sums of kernel values.
// host only
#pragma once

#include "core/config.hpp"
#include "numeric/svm/svm_problem.hpp"

#include <cstdint>
#include <memory>
#include <span>

#if DUOMAP_HAS_CUDA
namespace duomap {

/// The support vectors of a model in device memory, class after class. Vectors that do not fit stay on the
/// host, and come panel by panel for every rows_at_once() rows. Only one thread may use this at a time. Using
/// it changes the thread's current CUDA device.
class gpu_decisions {
 public:
  /// The vectors of class k are those from class_starts[k] to class_starts[k + 1] - 1. compute() adds up
  /// `sums_of_class` sums for each class (LIBSVM: one less than there are classes). weights[w * vectors.rows
  /// + v] is the weight of vector v in sum number w of the class of v. `vectors` must outlive this object.
  /// `memory_bytes`: the most memory to take; 0: all that is free.
  /// @throws device_lost, out_of_memory
  gpu_decisions(const svm_rows& vectors, const svm_kernel& kernel,
                std::span<const std::uint64_t> class_starts, std::span<const double> weights,
                std::uint64_t sums_of_class, int device, std::uint64_t memory_bytes = 0);
  gpu_decisions(const gpu_decisions&) = delete;
  gpu_decisions& operator=(const gpu_decisions&) = delete;
  ~gpu_decisions();

  /// The number of rows whose kernel values are computed at once. compute() is fastest with multiples of it.
  [[nodiscard]] std::uint64_t rows_at_once() const noexcept;

  /// Whether the vectors come from the host for each computation.
  [[nodiscard]] bool streams() const noexcept;

  /// For each row, sums[(r * classes + k) * sums_of_class + w] = sum over the vectors v of class k of weight
  /// w times K(row r, v). Kernel values are float32. Sums are float64, in an order that depends on the
  /// vectors alone. Rows and vectors have the same number of columns, but may have entries in different
  /// columns.
  void compute(const svm_rows& rows, double* sums);

 private:
  class device_part;
  std::unique_ptr<device_part> on_device_;
};

}  // namespace duomap
#endif
