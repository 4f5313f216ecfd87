// Calls something again and again while a run goes on.
// host only
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace duomap::apps {

/// Calls `tick` every `period` on a thread of its own, for the first time after one period: for what a run
/// does not depend on. What `tick` throws is passed over, and where the system starts no thread it is never
/// called. Created and destroyed by one thread.
class ticker {
 public:
  ticker(std::chrono::milliseconds period, std::function<void()> tick);
  ticker(const ticker&) = delete;
  ticker& operator=(const ticker&) = delete;
  /// Ends at once, whatever the period; a tick that is going on is waited for.
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
