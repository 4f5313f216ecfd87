// Threads that carry host memory to a device through page-locked buffers. Knows no CUDA, so that it can be
// tested without a device. host only
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
  /// May return before the device has read it.
  virtual ~staging_buffer() = default;

  [[nodiscard]] virtual char* data() noexcept = 0;

  /// Queues a copy of the first `bytes` bytes to `to`, in device memory.
  virtual void send(std::uint64_t bytes, char* to) = 0;

  /// Sleeps until the device has read what was sent last.
  virtual void wait() = 0;
};

/// The device as staging threads see it. Any thread may call any method.
class staging_target {
 public:
  virtual ~staging_target() = default;

  /// Called on a thread before anything else.
  virtual void enter_thread() = 0;

  [[nodiscard]] virtual std::unique_ptr<staging_buffer> make_buffer(std::uint64_t bytes) = 0;
};

/// Copies `bytes` bytes from `from` on to `to`. Any number of threads call it at once.
using staging_read = std::function<void(const char* from, std::uint64_t bytes, char* to)>;

/// A range on its way.
class staging_transfer;

/// Carries ranges, in the order in which they are given, a piece at a time: all threads read parts of one
/// piece into one buffer while the device copies from others. A thread writes to the same part of each buffer
/// where it can. Threads that turn out not to be needed sleep. A range that is too small for large pieces is
/// cut into smaller ones. Threads are taken for the first range of more than 2 MiB (or a piece, if that is
/// less); what comes before is carried by the caller. Used by one thread.
class staging {
 public:
  using transfer = staging_transfer;

  /// `target` must outlive this.
  staging(staging_target& target, unsigned threads, const staging_sizes& sizes);
  staging(const staging&) = delete;
  staging& operator=(const staging&) = delete;
  /// What was not begun is dropped; returns when the device has read all buffers.
  ~staging();

  /// Begins to carry `bytes` > 0 bytes to `to`. They must stay as they are until the device has passed what
  /// wait() waits for.
  [[nodiscard]] std::shared_ptr<transfer> start(const char* from, std::uint64_t bytes, char* to,
                                                staging_read read);

  /// Sleeps until every piece of a range has been sent: what is queued on the device from now on comes after
  /// it. Rethrows the first exception that a read or a send threw; the range is incomplete then.
  void wait(transfer& one);

  /// Forgets what was not begun of a range. When it returns, nothing reads the range any more, and what was
  /// sent of it is queued on the device before anything that is started from now on.
  void drop(transfer& one);

  /// How many threads keep the device's link busy, as measured; nothing when too little was carried for that.
  [[nodiscard]] std::optional<unsigned> threads_needed() const;

 private:
  /// Page-locked memory for a piece.
  struct slot {
    std::unique_ptr<staging_buffer> buffer;
    std::uint64_t bytes = 0;
  };

  /// What fills a slot.
  struct piece {
    std::shared_ptr<transfer> of;
    slot* into = nullptr;
    std::uint64_t at = 0;  // of the transfer
    std::uint64_t bytes = 0;
    std::uint64_t part_bytes = 0;
    // Guarded by mutex_.
    std::uint64_t parts = 0;
    std::uint64_t begun = 0;
    std::uint64_t done = 0;
    std::vector<bool> taken;  // of each part, that a thread has begun it
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
  std::condition_variable changed_;  // something to read or to open, more threads that may, or the end
  std::condition_variable sent_;     // a piece was, or less of a range is waited for
  // Guarded by mutex_.
  std::deque<slot> slots_;                         // all, also those that are being filled
  std::vector<slot*> idle_;                        // the others, in the order in which they were sent
  std::deque<std::shared_ptr<transfer>> waiting_;  // with bytes that are in no piece yet
  std::shared_ptr<piece> filling_;                 // the piece with parts that nobody has begun
  bool opening_ = false;                           // a thread makes a slot ready for the next one
  bool ending_ = false;
  thread_demand demand_;  // threads with a lower number than its are at work
  std::vector<kept_thread> threads_;
};

}  // namespace duomap::gpu
