// Records the times of a worker's steps. The worker writes them without waiting for another thread, and the
// report reads them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace duomap::scheduler {

/// A ring of events with one writer and one reader. The writer is the worker's own thread, which must never
/// wait, neither for the reader nor for memory: its time is being measured. The reader reports the run at any
/// moment, even if the worker hangs, and does not see later events.
class event_log {
 public:
  /// Events of one lane never overlap.
  enum class lane : std::uint8_t {
    host,     ///< the worker's thread
    copies,   ///< copies to the device
    kernels,  ///< kernels on the device
  };
  struct event {
    const char* what;
    lane on;
    double begin;  ///< seconds since the run began
    double end;
    std::uint64_t units = 0;  ///< units of the step (timeline_event::units)
  };

  /// Makes room for `most` events, at least 1. The system provides each memory page when it is first written.
  explicit event_log(std::size_t most);
  ~event_log();
  event_log(const event_log&) = delete;
  event_log& operator=(const event_log&) = delete;

  /// Adds an event, on the worker's thread. If there is no room, the event is counted and dropped, because a
  /// complete beginning of a long run says more than a record with gaps.
  void add(const event& one) noexcept;

  /// The events since the last call, in order. Called by one thread at a time.
  [[nodiscard]] std::vector<event> take();
  /// The number of dropped events. Any thread may call it.
  [[nodiscard]] std::uint64_t dropped() const noexcept;

 private:
  class ring;
  std::unique_ptr<ring> ring_;
};

}  // namespace duomap::scheduler
