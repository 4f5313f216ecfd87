// Keeps threads when their work has ended, for later work of the process.
// host only
#pragma once

#include <functional>
#include <memory>

namespace duomap {

/// A thread for one piece of work, as std::thread is, but the process keeps it for later work. The threads
/// that feed a GPU are needed anew in each run, and 14 of them begin 0.6 ms after the first when they are
/// made (decision 15). A kept thread sleeps until it is needed, or until the process ends.
class kept_thread {
 public:
  kept_thread() noexcept = default;

  /// Calls `work` on a thread of its own, with the affinity that the caller has. `work` must not throw.
  /// @throws std::system_error when the system starts no thread
  explicit kept_thread(std::function<void()> work);

  /// Returns when the work has ended and `work` is destroyed; at once when there is none. The destructor
  /// waits, too.
  void join() noexcept { its_.reset(); }

 private:
  class thread;
  struct give_back {
    void operator()(thread* one) const noexcept;
  };

  std::unique_ptr<thread, give_back> its_;
};

}  // namespace duomap
