// Input that GPUs read where it lies.
// host only
#pragma once

#include "core/byte_view.hpp"
#include "core/input/input.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace duomap::gpu {

/// Keeps input page-locked for as long as this lives: GPUs copy it from where it lies, at the link's full
/// speed, and no core carries it to them. Otherwise some seven cores feed an H200, and beside it the CPU does
/// a third of what it can.
///
///   const duomap::gpu::page_lock locked(texts);
///
/// Worth it for what is read several times: locking takes 30 to 60 ms per GB on an H200's host, as much as
/// two runs over it, and unlocking 10 to 20; more threads do not help. Starts CUDA. Needs as much free memory
/// as the input has bytes, since files stay in memory then.
///
/// Answers do not depend on it: where the driver refuses, or there is no GPU, input is fed as always, and
/// refusal() says why. CUDA locks no memory twice: a second page_lock of the same input is refused, and input
/// counts as locked as long as the first one lives.
class page_lock {
 public:
  /// Locks what can be addressed of `from`, which must outlive this: files that are mapped, and memory. Runs
  /// over it that begin while this lives must end before it does.
  explicit page_lock(const input& from);
  /// Locks some memory, which must stay mapped as long as this lives.
  explicit page_lock(byte_view memory);
  page_lock(const page_lock&) = delete;
  page_lock& operator=(const page_lock&) = delete;
  /// Memory of a process that has given a GPU up stays locked, because that GPU may still read it.
  ~page_lock();

  /// Bytes that are locked.
  [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }

  /// Why it is not all, as a clause; empty when it is.
  [[nodiscard]] const std::string& refusal() const noexcept { return refusal_; }

 private:
  page_lock() = default;
  void lock(byte_view memory);

  std::vector<byte_view> ranges_;
  std::uint64_t bytes_ = 0;
  std::string refusal_;
};

/// Whether there are bytes in an input that GPUs can be given, and a page_lock holds all of them.
[[nodiscard]] bool is_page_locked(const input& from);

}  // namespace duomap::gpu
