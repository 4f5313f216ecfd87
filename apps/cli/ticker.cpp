// Runs the thread that ticks.
#include "apps/cli/ticker.hpp"

#include <system_error>
#include <utility>

namespace duomap::apps {

ticker::ticker(std::chrono::milliseconds period, std::function<void()> tick)
  : period_(period), tick_(std::move(tick)) {
  try {
    thread_ = std::thread([this] { loop(); });
  } catch (const std::system_error&) {
    // The system starts no more threads. A run works without ticks, so the exception is dropped.
  }
}

ticker::~ticker() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

void ticker::loop() {
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, period_, [this] { return ends_; })) {
    lock.unlock();
    try {
      tick_();
    } catch (...) {
      // Exceptions are dropped. If memory has run out, the next tick may find some.
    }
    lock.lock();
  }
}

}  // namespace duomap::apps
