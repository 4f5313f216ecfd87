// Carries host memory to a device by threads, through page-locked buffers. Staging does not use CUDA, so
// tests need no device. host only
#pragma once

#include "core/kept_thread.hpp"
#include "gpu/feed/feed_policy.hpp"
#include "gpu/feed/thread_demand.hpp"

#include <array>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace duomap::gpu {

/// Host memory that a device copies from.
class staging_buffer {
 public:
  /// The destructor may return before the device has read the buffer.
  virtual ~staging_buffer() = default;

  [[nodiscard]] virtual char* data() noexcept = 0;

  /// Queues a copy of the first `bytes` bytes to `to`, in device memory.
  virtual void send(std::uint64_t bytes, char* to) = 0;

  /// Sleeps until the device has read the bytes of the last send().
  virtual void wait() = 0;
};

/// The device as staging threads see it. Any thread may call any method.
class staging_target {
 public:
  virtual ~staging_target() = default;

  /// A thread calls this before any other method.
  virtual void enter_thread() = 0;

  [[nodiscard]] virtual std::unique_ptr<staging_buffer> make_buffer(std::uint64_t bytes) = 0;
};

/// Copies `bytes` bytes from `from` on to `to`. Any number of threads call it at once.
using staging_read = std::function<void(const char* from, std::uint64_t bytes, char* to)>;

/// A range that is being carried.
class staging_transfer;

/// Carries ranges in the order of start(), one piece at a time. All threads read parts of one piece into one
/// buffer, while the device copies from other buffers. If possible, a thread writes the same part of each
/// buffer. Threads beyond the measured demand sleep. A range that is too small for large pieces is cut into
/// smaller pieces. The threads start with the first range of more than 2 MiB (or one piece, if that is less);
/// until then the caller carries the ranges. Used by one thread.
class staging {
 public:
  using transfer = staging_transfer;

  /// `target` must outlive this object.
  staging(staging_target& target, unsigned threads, const staging_sizes& sizes);
  staging(const staging&) = delete;
  staging& operator=(const staging&) = delete;
  /// Drops all pieces that were not begun, and returns when the device has read all buffers.
  ~staging();

  /// Begins to carry `bytes` > 0 bytes to `to`. The bytes must stay unchanged until the device has passed the
  /// copies that wait() waits for.
  [[nodiscard]] std::shared_ptr<transfer> start(const char* from, std::uint64_t bytes, char* to,
                                                staging_read read);

  /// Sleeps until every piece of a range has been sent, so that work queued on the device from now on comes
  /// after it. Rethrows the first exception of a read or a send; the range is then incomplete.
  void wait(transfer& one);

  /// Drops the pieces of a range that were not begun. When it returns, no thread reads the range, and every
  /// copy of it is queued on the device before any later work.
  void drop(transfer& one);

  /// The measured number of threads that keep the device's link busy; nothing if too few bytes were carried
  /// to measure it.
  [[nodiscard]] std::optional<unsigned> threads_needed() const;

 private:
  /// A page-locked buffer for one piece.
  struct slot {
    std::unique_ptr<staging_buffer> buffer;
    std::uint64_t bytes = 0;
  };

  /// A part of a range that is read into one slot and sent at once.
  struct piece {
    std::shared_ptr<transfer> of;
    slot* into = nullptr;
    std::uint64_t at = 0;  // offset from the beginning of the range
    std::uint64_t bytes = 0;
    std::uint64_t part_bytes = 0;
    // Guarded by mutex_.
    std::uint64_t parts = 0;
    std::uint64_t begun = 0;
    std::uint64_t done = 0;
    std::vector<bool> taken;  // for each part, whether a thread has begun it
  };

  using lock = std::unique_lock<std::mutex>;

  void carry_alone(const char* from, std::uint64_t bytes, char* to, const staging_read& read,
                   std::uint64_t buffer_bytes);
  [[nodiscard]] slot& take_slot(std::size_t least_idle);
  void make_ready(slot& into, std::uint64_t bytes);
  void work(unsigned number);
  void open_piece(lock& held);
  [[nodiscard]] static std::uint64_t take_part(piece& of, unsigned number);
  void read_part(lock& held, unsigned number);
  void send(lock& held, piece& full);
  void leave_out_rest(transfer& one);
  void fail(transfer& one, std::exception_ptr why);
  void passed(piece& one);
  [[nodiscard]] bool is_dry() const;

  staging_target& target_;
  unsigned most_threads_;
  staging_sizes sizes_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;  // a part to read, a piece to open, more threads allowed, or the end
  std::condition_variable sent_;     // a piece was sent, or the caller waits for fewer bytes
  // Guarded by mutex_.
  std::deque<slot> slots_;   // all slots, also those being filled
  std::vector<slot*> idle_;  // slots that no thread fills, in the order in which they were sent
  std::deque<std::shared_ptr<transfer>> waiting_;  // ranges with bytes that are in no piece yet
  std::shared_ptr<piece> filling_;                 // the piece with parts that no thread has begun
  bool opening_ = false;                           // a thread is preparing a slot for the next piece
  bool ending_ = false;
  thread_demand demand_;  // only threads with a number below demand_.threads() work
  std::vector<kept_thread> threads_;
};

}  // namespace duomap::gpu
