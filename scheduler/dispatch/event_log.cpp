// Keeps events in a lock-free queue for one writer and one reader.
#include "scheduler/dispatch/event_log.hpp"

#include <boost/lockfree/spsc_queue.hpp>

#include <atomic>

namespace duomap::scheduler {

// The writer stores its index with release order after the event, and the reader loads it with acquire order
// before the event. So the reader sees whole events. The reader's index, which frees places, works the same
// way in the other direction.
class event_log::ring {
 public:
  explicit ring(std::size_t most) : events(most) {}

  boost::lockfree::spsc_queue<event> events;
  // The number is only for the report and publishes no other data, so relaxed order is enough.
  std::atomic<std::uint64_t> dropped{0};
};

event_log::event_log(std::size_t most) : ring_(std::make_unique<ring>(most)) {}
event_log::~event_log() = default;

void event_log::add(const event& one) noexcept {
  if (!ring_->events.push(one)) ring_->dropped.fetch_add(1, std::memory_order_relaxed);
}

std::vector<event_log::event> event_log::take() {
  std::vector<event> all;
  ring_->events.consume_all([&](const event& one) { all.push_back(one); });
  return all;
}

std::uint64_t event_log::dropped() const noexcept { return ring_->dropped.load(std::memory_order_relaxed); }

}  // namespace duomap::scheduler
