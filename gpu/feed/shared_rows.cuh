// Brings rows of host memory to a GPU that needs all rows, together with the other GPUs of the run. For host
// code; needs CUDA's headers.
#pragma once

#include "gpu/engines/engine_maker.hpp"
#include "gpu/feed/feeder.cuh"
#include "gpu/runtime/buffer.cuh"
#include "gpu/runtime/stream.cuh"

#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

namespace duomap::gpu {

class shared_parts;

/// The rows to be brought, in host memory or in the memory of the run's only GPU.
struct row_source {
  const char* data = nullptr;
  std::uint64_t rows = 0;
  std::uint64_t row_bytes = 0;
  std::uint64_t stride = 0;  ///< from one row to the next, in bytes
};

/// Brings all rows to this GPU. If NVLink connects all GPUs, each row comes over only one GPU's host link and
/// goes from there to the other GPUs. Otherwise, and for the parts of a GPU that fails, each GPU brings the
/// missing rows over its own link. Used by one thread.
class shared_rows {
 public:
  /// Begins to bring the rows. The GPUs of the run share `parts`, which is read through the gate. Null: this
  /// GPU brings all rows.
  shared_rows(const row_source& from, const std::shared_ptr<shared_parts>* parts,
              const engine_surroundings& with);
  shared_rows(const shared_rows&) = delete;
  shared_rows& operator=(const shared_rows&) = delete;
  /// Waits until the engine's streams are idle.
  ~shared_rows();

  /// Makes all later work of the engine's stream wait for all rows, which lie one behind the other.
  void wait();

  template <class T>
  [[nodiscard]] const T* as() const noexcept {
    return memory_->bytes.as<const T>();
  }

 private:
  // Device memory that other GPUs copy from. The last GPU that uses it frees it, on the memory's own stream.
  struct memory {
    explicit memory(std::uint64_t size) : bytes(size, on) {}
    stream on;
    device_buffer bytes;
  };

  [[nodiscard]] std::uint64_t first_row(unsigned part) const { return from_.rows * part / count_; }
  void bring(unsigned part);
  void wait_for_mine();
  [[nodiscard]] bool copy_from_another(unsigned part, std::chrono::duration<double> patience);

  const row_source from_;
  const engine_surroundings with_;
  int device_ = 0;
  std::shared_ptr<memory> memory_;
  std::shared_ptr<shared_parts> parts_;  // null: this GPU shares no rows
  unsigned count_ = 1;
  std::vector<unsigned> mine_;
  std::vector<feeder::transfer> on_their_way_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  event ready_;
  bool complete_ = false;
};

}  // namespace duomap::gpu
