// When a device passed an event, on the host's clock. For host code; needs CUDA's headers.
#pragma once

#include "gpu/runtime/stream.cuh"

#include <chrono>

namespace duomap::gpu {

/// Ties the events of one device to std::chrono::steady_clock by one event that host and device both saw.
class device_clock {
 public:
  /// Waits for what is queued in `on`.
  explicit device_clock(const stream& on) {
    on.wait();
    const double before = now();
    tie_.record(on);
    on.wait();
    // The device has passed it somewhere in between.
    tied_at_ = (before + now()) / 2;
  }

  /// Seconds of steady_clock at which the device passed an event that it has passed.
  [[nodiscard]] double at(const event& passed) const { return tied_at_ + passed.seconds_since(tie_); }

 private:
  [[nodiscard]] static double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  }

  event tie_;
  double tied_at_ = 0;
};

}  // namespace duomap::gpu
