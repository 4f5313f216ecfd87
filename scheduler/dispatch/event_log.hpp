// Records the times of a worker's steps. The worker writes them without waiting for another thread, and the
// report reads them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace duomap::scheduler {

/// A ring for one writer and one reader. The writer is the worker's thread, which is being timed, or may have
/// timed out and hang: it never waits, neither for the reader nor for memory. The reader reports the run at
/// any moment, and does not see later events.
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
    std::uint64_t units = 0;  ///< timeline_event::units
  };

  /// Holds `most` events, at least 1; its memory pages are taken when they are first written to.
  explicit event_log(std::size_t most);
  ~event_log();
  event_log(const event_log&) = delete;
  event_log& operator=(const event_log&) = delete;

  /// Called on the worker's thread. An event that finds no room is counted and dropped: if a run is too long
  /// to keep, its complete beginning says more than a record with gaps.
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
