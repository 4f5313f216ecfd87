// Queues events of one stream, by which an engine waits for its chunks.
#pragma once

#include "gpu/runtime/recycling_queue.hpp"
#include "gpu/runtime/stream.cuh"

#include <utility>

namespace duomap::gpu {

/// A queue of events. Used by one thread.
class event_queue {
 public:
  /// Records an event behind all work that is queued on `on`.
  void record(const stream& on) {
    auto next = open_.spare();
    next->record(on);
    open_.push(std::move(next));
  }

  /// Sleeps until the device has passed the oldest event, and removes it. The queue must not be empty.
  void wait_for_oldest() {
    open_.front().wait();
    open_.pop();
  }

  [[nodiscard]] bool empty() const noexcept { return open_.empty(); }

 private:
  recycling_queue<event> open_;
};

}  // namespace duomap::gpu
