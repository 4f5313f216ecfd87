// Rows of host memory that an engine needs whole on its GPU, as the other GPUs of the run do. For host code;
// needs CUDA's headers.
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

/// Where rows come from: host memory, or that of the one GPU of the run.
struct row_source {
  const char* data = nullptr;
  std::uint64_t rows = 0;
  std::uint64_t row_bytes = 0;
  std::uint64_t stride = 0;  ///< from one row to the next, in bytes
};

/// Where GPUs are linked by NVLink, a row comes over one host link only and from there to the other GPUs.
/// Elsewhere, and when another GPU fails, each brings what it lacks over its own. Used by one thread.
class shared_rows {
 public:
  /// Begins to bring them. `parts` is what the GPUs of the run share, and is read through the gate; null:
  /// this GPU brings all.
  shared_rows(const row_source& from, const std::shared_ptr<shared_parts>* parts,
              const engine_surroundings& with);
  shared_rows(const shared_rows&) = delete;
  shared_rows& operator=(const shared_rows&) = delete;
  /// Waits for what is queued on the engine's streams.
  ~shared_rows();

  /// What is queued on the engine's stream from now on finds all rows, one behind the other.
  void wait();

  template <class T>
  [[nodiscard]] const T* as() const noexcept {
    return memory_->bytes.as<const T>();
  }

 private:
  // The last GPU that reads it frees it, on a stream of its own.
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
  std::shared_ptr<shared_parts> parts_;  // null: not shared
  unsigned count_ = 1;
  std::vector<unsigned> mine_;
  std::vector<feeder::transfer> on_their_way_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  event ready_;
  bool complete_ = false;
};

}  // namespace duomap::gpu
