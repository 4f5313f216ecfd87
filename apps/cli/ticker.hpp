// Calls a function again and again while a run goes on.
// host only
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace duomap::apps {

/// Calls `tick` every `period` on a thread of its own, for the first time after one period. A run must not
/// depend on it: exceptions of `tick` are ignored, and where the system starts no thread, `tick` is never
/// called. One thread creates and destroys the object.
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
  std::thread thread_;  // last: starts when everything else is there
};

}  // namespace duomap::apps
