// Classification by support vectors on one GPU: weighted sums of kernel values.
// host only
#pragma once

#include "apps/algorithms/svm/svm_problem.hpp"
#include "core/config.hpp"

#include <cstdint>
#include <memory>
#include <span>

#if DUOMAP_HAS_CUDA
namespace duomap {

/// The support vectors of a model in device memory, those of one class behind those of the one before. Where
/// they do not fit, they stay on the host and come panel by panel for each rows_at_once() rows. Used by one
/// thread at a time, whose current CUDA device is changed.
class gpu_decisions {
 public:
  /// Class k has the vectors from class_starts[k] on and before class_starts[k + 1]. weights[w * vectors.rows
  /// + v] is the weight of vector v in sum w of its class; there are `sums_of_class` of them (LIBSVM: one
  /// less than classes). `vectors` have to outlive this. `memory_bytes`: of the device at most; 0: what is
  /// free.
  /// @throws device_lost, out_of_memory
  gpu_decisions(const svm_rows& vectors, const svm_kernel& kernel,
                std::span<const std::uint64_t> class_starts, std::span<const double> weights,
                std::uint64_t sums_of_class, int device, std::uint64_t memory_bytes = 0);
  gpu_decisions(const gpu_decisions&) = delete;
  gpu_decisions& operator=(const gpu_decisions&) = delete;
  ~gpu_decisions();

  /// Rows whose kernel values are computed at once; compute() is quickest with multiples of so many.
  [[nodiscard]] std::uint64_t rows_at_once() const noexcept;

  /// Whether the vectors come from the host.
  [[nodiscard]] bool streams() const noexcept;

  /// sums[(r * classes + k) * sums_of_class + w] = sum over the vectors v of class k of weight w times
  /// K(row r, v), for each row: kernel values are float32, sums float64, in an order that depends on the
  /// vectors alone. A vector or row may have no entries in common; both have the same number of columns.
  void compute(const svm_rows& rows, double* sums);

 private:
  class device_part;
  std::unique_ptr<device_part> on_device_;
};

}  // namespace duomap
#endif
