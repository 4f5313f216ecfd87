// Copies a device's output to its place in host memory. For host code; needs CUDA's headers.
#pragma once

#include "core/kept_thread.hpp"
#include "gpu/feed/read_gate.hpp"
#include "gpu/runtime/buffer.cuh"
#include "gpu/runtime/stream.cuh"

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace duomap::gpu {

/// Rows in host memory, which may have room between them.
struct host_rows {
  char* data = nullptr;
  std::uint64_t row_bytes = 0;
  std::uint64_t stride = 0;  ///< from one row to the next, in bytes
};

/// Copies output in pieces: the link brings a piece into page-locked memory, and a thread copies it to its
/// place while the next piece travels. Only these threads write to the places, and the gate stops them if the
/// device is lost or times out. The executor that repeats the device's work then overwrites the output.
///
/// Used by one thread, whose current device must be the one at construction.
class placed_output {
 public:
  /// A copy of rows that is under way.
  class transfer;

  /// `gate` must outlive this object. Starts at most `threads` threads, each when there is a piece for it.
  placed_output(read_gate& gate, unsigned threads);
  placed_output(const placed_output&) = delete;
  placed_output& operator=(const placed_output&) = delete;
  /// Drops the pieces whose copy has not begun, and waits for all other pieces.
  ~placed_output();

  /// Begins to copy `rows` rows, which lie one after the other at `from` in device memory, to `to`, as soon
  /// as the device has passed `ready`. `ready` must be recorded already, and only once before wait().
  [[nodiscard]] std::shared_ptr<transfer> start(const char* from, std::uint64_t rows, const host_rows& to,
                                                const event& ready);

  /// Sleeps until all rows are in their place. Rethrows the first failure of the copy.
  void wait(transfer& one);

  /// Bytes of a piece. In pieces of 1, 2, 4 and 8 MiB, 8 threads brought 17.6, 24.6, 20.3 and 17.3 GB/s into
  /// untouched memory of an H200's host, whose pages the kernel has to clear.
  static constexpr std::uint64_t piece_bytes = std::uint64_t{2} << 20;

 private:
  class lane;
  struct piece;

  void work();
  // The caller holds mutex_.
  [[nodiscard]] std::optional<piece> take();
  void end(const piece& one, std::exception_ptr failure);

  read_gate& gate_;
  unsigned most_threads_;
  int device_ = 0;
  std::mutex mutex_;
  std::condition_variable waiting_or_end_;
  std::condition_variable placed_;
  // Guarded by mutex_: transfers with pieces that no thread has begun.
  std::deque<std::shared_ptr<transfer>> waiting_;
  bool ending_ = false;
  std::vector<kept_thread> threads_;
};

}  // namespace duomap::gpu
