#include "scheduler/dispatch/event_log.hpp"

#include <boost/lockfree/spsc_queue.hpp>

#include <atomic>

namespace duomap::scheduler {

// The queue's writer stores its index with release behind the event, its reader loads it with acquire before:
// an event that is seen is seen whole. The other index, behind which places are free again, goes the other
// way in the same manner.
class event_log::ring {
 public:
  explicit ring(std::size_t most) : events(most) {}

  boost::lockfree::spsc_queue<event> events;
  // Relaxed: a number for the report, with nothing behind it.
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
