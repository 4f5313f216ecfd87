// What a worker did when: written by the worker without waiting for anybody, read when the run is over.
// host only
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace duomap::scheduler {

/// A ring for one writer and one reader. The writer is the worker's thread, which is being timed, or may have
/// timed out and hang: it never waits, neither for the reader nor for memory. The reader tells of the run, at
/// any moment; what is written later it has not seen.
class event_log {
 public:
  /// Things of one lane never overlap.
  enum class lane : std::uint8_t {
    host,     ///< the worker's thread
    copies,   ///< to the device
    kernels,  ///< on the device
  };
  struct event {
    const char* what;
    lane on;
    double begin;  ///< seconds since the run began
    double end;
    std::uint64_t units = 0;  ///< timeline_event::units
  };

  /// Holds `most` events, at least 1; pages of its memory are taken as they are written to.
  explicit event_log(std::size_t most);
  ~event_log();
  event_log(const event_log&) = delete;
  event_log& operator=(const event_log&) = delete;

  /// The worker's thread. An event that finds no room is counted and dropped: the beginning of a run that was
  /// too long to keep says more than holes all over it.
  void add(const event& one) noexcept;

  /// One thread at a time: what was added since the last call, in order.
  [[nodiscard]] std::vector<event> take();
  /// Any thread.
  [[nodiscard]] std::uint64_t dropped() const noexcept;

 private:
  class ring;
  std::unique_ptr<ring> ring_;
};

}  // namespace duomap::scheduler
