// Calls a function again and again while a run goes on.
// host only
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace duomap::apps {

/// Calls `tick` every `period` on a thread of its own, for the first time after one period. Exceptions of
/// `tick` are ignored. If the system starts no thread, `tick` is never called, so a run must not depend on
/// it. One thread creates and destroys the object.
class ticker {
 public:
  ticker(std::chrono::milliseconds period, std::function<void()> tick);
  ticker(const ticker&) = delete;
  ticker& operator=(const ticker&) = delete;
  /// Waits for a tick that is going on, but not for the end of the period.
  ~ticker();

 private:
  void loop();

  std::chrono::milliseconds period_;
  std::function<void()> tick_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool ends_ = false;   // guarded by mutex_
  std::thread thread_;  // last: the thread uses the members above
};

}  // namespace duomap::apps
