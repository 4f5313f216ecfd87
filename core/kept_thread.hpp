// Threads that the process keeps after their work, for later work.
// host only
#pragma once

#include <functional>
#include <memory>

namespace duomap {

/// A thread for one piece of work, like std::thread. When the work has ended, the process keeps the thread
/// for later work: each run needs threads that feed a GPU, and if 14 such threads are new, the last begins
/// 0.6 ms after the first (decision 15). A kept thread sleeps until it gets work or the process ends.
class kept_thread {
 public:
  kept_thread() noexcept = default;

  /// Calls `work` on another thread. That thread gets the caller's affinity. `work` must not throw.
  /// @throws std::system_error when the system starts no thread
  explicit kept_thread(std::function<void()> work);

  /// Waits until the work, if any, has ended and `work` is destroyed. The destructor waits, too.
  void join() noexcept { its_.reset(); }

 private:
  class thread;
  struct give_back {
    void operator()(thread* one) const noexcept;
  };

  std::unique_ptr<thread, give_back> its_;
};

}  // namespace duomap
