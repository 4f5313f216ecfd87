#include "apps/cli/ticker.hpp"

#include <utility>

namespace duomap::apps {

ticker::ticker(std::chrono::milliseconds period, std::function<void()> tick)
  : period_(period), tick_(std::move(tick)), thread_([this] { loop(); }) {}

ticker::~ticker() {
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
    tick_();
    lock.lock();
  }
}

}  // namespace duomap::apps
