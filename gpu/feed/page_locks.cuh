// Page-locks mapped input files where they lie, a little ahead of the copies that read them.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <thread>

namespace duomap::gpu {

/// The parts of mapped files that are page-locked, for all GPUs of a run. A read-only shared mapping of a
/// cached file is locked in place at 20 to 45 ms per GB and unlocked at 6; several threads are not faster,
/// and other calls to CUDA wait meanwhile (measured on an H200 with driver 580). It is then copied at the
/// link's full speed. Windows are locked in order by a thread of its own, some windows ahead. Any thread may
/// call any method. The destructor unlocks everything; no copy may run then, and the files must still be
/// mapped.
class page_locks {
 public:
  /// `device_index`: the device whose context the ahead-locking thread uses; the locks hold for all devices.
  /// `most_bytes`: what may be locked at a time, 0 for half of the machine's memory.
  page_locks(int device_index, std::uint64_t most_bytes);
  page_locks(const page_locks&) = delete;
  page_locks& operator=(const page_locks&) = delete;
  ~page_locks();

  /// The first bytes of a range that are in the same state.
  struct span {
    std::uint64_t bytes = 0;
    bool locked = false;
  };

  /// Locks the window that `at` lies in, if it lies in a mapped file, and says how many of the `bytes` > 0
  /// bytes from there on are locked by that (or are not).
  [[nodiscard]] span lock(const char* at, std::uint64_t bytes);

  /// Why something was not locked; empty when all was.
  [[nodiscard]] std::string refusal() const;

 private:
  enum class state { wanted, in_work, locked, refused };
  struct window {
    std::uint64_t bytes = 0;
    state now = state::wanted;
  };

  void want(const char* begin, const char* end);
  void lock_window(std::unique_lock<std::mutex>& held, std::map<const char*, window>::iterator at);
  void lock_ahead();

  int device_index_;
  std::uint64_t most_bytes_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  // All below: guarded by mutex_.
  std::map<const char*, window> windows_;  // by their first byte
  std::deque<const char*> ahead_;          // wanted windows, in order
  std::uint64_t locked_bytes_ = 0;         // and those in work
  std::string refusal_;
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace duomap::gpu
