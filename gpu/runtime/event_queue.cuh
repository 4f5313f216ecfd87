// Events of one stream that the device passes one after the other: how an engine waits for its chunks.
#pragma once

#include "gpu/runtime/stream.cuh"

#include <deque>
#include <memory>
#include <utility>
#include <vector>

namespace duomap::gpu {

/// Used by one thread. An event that has been passed is recorded again, because making one takes longer.
class event_queue {
 public:
  /// Puts an event behind what is queued on `on`.
  void record(const stream& on) {
    if (idle_.empty()) idle_.push_back(std::make_unique<event>());
    idle_.back()->record(on);
    open_.push_back(std::move(idle_.back()));
    idle_.pop_back();
  }

  /// Sleeps until the device has passed the oldest event, which there must be, and takes it out.
  void wait_for_oldest() {
    open_.front()->wait();
    idle_.push_back(std::move(open_.front()));
    open_.pop_front();
  }

  [[nodiscard]] bool empty() const noexcept { return open_.empty(); }

 private:
  std::deque<std::unique_ptr<event>> open_;
  std::vector<std::unique_ptr<event>> idle_;
};

}  // namespace duomap::gpu
