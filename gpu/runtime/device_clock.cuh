// Translates the time of a device's events to the host's clock. For host code; needs CUDA's headers.
#pragma once

#include "gpu/runtime/stream.cuh"

#include <chrono>

namespace duomap::gpu {

/// Ties the events of one device to std::chrono::steady_clock, by one event whose time is known on both.
class device_clock {
 public:
  /// Waits until the stream is idle, so that the event's time is known on the host.
  explicit device_clock(const stream& on) {
    on.wait();
    const double before = now();
    tie_.record(on);
    on.wait();
    // The device passed the event between the two times.
    tied_at_ = (before + now()) / 2;
  }

  /// Returns the time of steady_clock, in seconds, at which the device passed an event.
  [[nodiscard]] double at(const event& passed) const { return tied_at_ + passed.seconds_since(tie_); }

 private:
  [[nodiscard]] static double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  }

  event tie_;
  double tied_at_ = 0;
};

}  // namespace duomap::gpu
