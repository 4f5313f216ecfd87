#include "scheduler/dispatch/stream_pool.hpp"

#include <utility>

namespace duomap::scheduler {

std::unique_ptr<stream_pool::open_stream> stream_pool::acquire(bool wait) {
  std::unique_lock lock(mutex_);
  while (!stopped_) {
    // Streams that are open come first, so that no more are open than there are workers.
    if (!idle_.empty()) {
      auto stream = std::move(idle_.front());
      idle_.pop_front();
      ++in_use_;
      return stream;
    }
    if (!unopened_.empty()) {
      auto stream = std::make_unique<open_stream>(open_stream{unopened_.front(), nullptr});
      unopened_.pop_front();
      ++in_use_;
      return stream;
    }
    if (in_use_ == 0 || !wait) return nullptr;
    changed_.wait(lock);
  }
  return nullptr;
}

void stream_pool::release(std::unique_ptr<open_stream> stream, bool ended) {
  {
    const std::lock_guard lock(mutex_);
    --in_use_;
    if (!ended) idle_.push_back(std::move(stream));
  }
  // All, because when the last stream ends every waiter has to learn that there is nothing left.
  changed_.notify_all();
}

void stream_pool::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  changed_.notify_all();
}

}  // namespace duomap::scheduler
