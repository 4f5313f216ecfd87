// Events of one stream that the device passes one after the other: how an engine waits for its chunks.
#pragma once

#include "gpu/runtime/recycling_queue.hpp"
#include "gpu/runtime/stream.cuh"

#include <utility>

namespace duomap::gpu {

/// Used by one thread.
class event_queue {
 public:
  /// Puts an event behind what is queued on `on`.
  void record(const stream& on) {
    auto next = open_.spare();
    next->record(on);
    open_.push(std::move(next));
  }

  /// Sleeps until the device has passed the oldest event, which there must be, and takes it out.
  void wait_for_oldest() {
    open_.front().wait();
    open_.pop();
  }

  [[nodiscard]] bool empty() const noexcept { return open_.empty(); }

 private:
  recycling_queue<event> open_;
};

}  // namespace duomap::gpu
