// Brings what a device has computed to its place in host memory. For host code; needs CUDA's headers.
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

/// A block of rows in host memory, with room between them or not.
struct host_rows {
  char* data = nullptr;
  std::uint64_t row_bytes = 0;
  std::uint64_t stride = 0;  ///< from one row to the next, in bytes
};

/// The way back of the feeder (gpu/feed/feeder.cuh): a piece at a time is copied over the link into
/// page-locked memory, from where a thread copies it to its place while the next one travels. Only these
/// threads write to places, and only through the gate: a device that is lost or has timed out writes nothing
/// more, and the executor that does its work again overwrites its output.
///
/// Used by one thread, with the device current that it was made for.
class placed_output {
 public:
  /// Rows on their way.
  class transfer;

  /// `gate` must outlive it. `threads` at most, each made when there is a piece for it.
  placed_output(read_gate& gate, unsigned threads);
  placed_output(const placed_output&) = delete;
  placed_output& operator=(const placed_output&) = delete;
  /// What was not begun is dropped, the rest waited for.
  ~placed_output();

  /// Begins to bring `rows` rows that lie one after the other at `from`, in device memory, to `to`, when the
  /// device has passed `ready`, which must have been recorded and not be recorded again before wait().
  [[nodiscard]] std::shared_ptr<transfer> start(const char* from, std::uint64_t rows, const host_rows& to,
                                                const event& ready);

  /// Sleeps until they are at their place. Rethrows what went wrong with them.
  void wait(transfer& one);

  /// Bytes that travel at a time. Into fresh memory of an H200's host, whose pages the kernel has to clear,
  /// 8 threads brought 17.6 GB/s in pieces of 1 MiB, 24.6 in 2, 20.3 in 4 and 17.3 in 8; 4 threads 15.1 in 2.
  static constexpr std::uint64_t piece_bytes = std::uint64_t{2} << 20;

 private:
  class lane;
  struct piece;

  void work();
  // Called with mutex_ held.
  [[nodiscard]] std::optional<piece> take();
  void end(const piece& one, std::exception_ptr failure);

  read_gate& gate_;
  unsigned most_threads_;
  int device_ = 0;
  std::mutex mutex_;
  std::condition_variable waiting_or_end_;
  std::condition_variable placed_;
  // Guarded by mutex_: transfers with pieces that nobody has begun.
  std::deque<std::shared_ptr<transfer>> waiting_;
  bool ending_ = false;
  std::vector<kept_thread> threads_;
};

}  // namespace duomap::gpu
