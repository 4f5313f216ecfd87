// Page-locks input, so that GPUs copy it from where it lies and no core copies it first.
// host only
#pragma once

#include "core/byte_view.hpp"
#include "core/input/input.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace duomap::gpu {

/// Keeps input page-locked as long as this object lives. GPUs then copy the input from where it lies, at the
/// link's full speed, and no core carries it. Without the lock some seven cores feed an H200, and beside it
/// the CPU does a third of the work that it could do.
///
///   const duomap::gpu::page_lock locked(texts);
///
/// Use it for input that several runs read. On an H200's host, locking takes 30 to 60 ms per GB, as much as
/// two runs over it, and unlocking takes 10 to 20; more threads do not help. Starts CUDA. Needs as much free
/// memory as the input has bytes, because locked files stay in memory.
///
/// Answers do not depend on the lock. If there is no GPU or the driver refuses, feeders carry the input as
/// usual and refusal() gives the reason. CUDA locks no memory twice: it refuses a second page_lock of the
/// same input, and the input counts as locked as long as the first page_lock lives.
class page_lock {
 public:
  /// Locks the mapped files and the memory of `from`, which must outlive this object. Runs over this input
  /// that begin while this object lives must also end while it lives.
  explicit page_lock(const input& from);
  /// Locks `memory`, which must stay mapped as long as this object lives.
  explicit page_lock(byte_view memory);
  page_lock(const page_lock&) = delete;
  page_lock& operator=(const page_lock&) = delete;
  /// Leaves memory locked if the process has given up a GPU, because that GPU may still read it.
  ~page_lock();

  [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }

  /// The reason why some input is not locked, as a clause; empty if all input is locked.
  [[nodiscard]] const std::string& refusal() const noexcept { return refusal_; }

 private:
  page_lock() = default;
  void lock(byte_view memory);

  std::vector<byte_view> ranges_;
  std::uint64_t bytes_ = 0;
  std::string refusal_;
};

/// Whether the input has bytes that can be addressed, and a page_lock holds all of them.
[[nodiscard]] bool is_page_locked(const input& from);

}  // namespace duomap::gpu
