// Starts devices while the caller prepares an iterative job.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>

namespace duomap::scheduler {

/// Starts the devices of these kinds that can iterate a task, in the background. After the object's end, the
/// process may end (device_provider::leave_background()). Only one thread uses the object.
template <class Kinds>
class started_ahead {
 public:
  started_ahead() = default;
  started_ahead(started_ahead&& from) noexcept : begun_(std::exchange(from.begun_, false)) {}
  started_ahead& operator=(started_ahead&&) = delete;
  ~started_ahead() {
    if (!begun_) return;
    Kinds::for_each_device_kind([]<class Kind>(Kind) { Kind::provider().leave_background(); });
  }

  /// Starts at most `most` of the devices whose numbers are in `gpus`, or of all devices if `gpus` is empty.
  template <class Task>
  void start(std::span<const int> gpus, std::size_t most) {
    Kinds::for_each_device_kind([&]<class Kind>(Kind) {
      if (!Kind::provider().is_built() || !Kind::template has_resident_code<Task>) return;
      begun_ = Kind::provider().start_in_background(gpus, most) || begun_;
    });
  }

  /// The remaining seconds of the slowest start, roughly. No value: no kind of device is being started.
  [[nodiscard]] static std::optional<double> seconds_left() {
    std::optional<double> left;
    Kinds::for_each_device_kind(
        [&]<class Kind>(Kind) { left = std::max(left, Kind::provider().start_seconds_left()); });
    return left;
  }

 private:
  bool begun_ = false;
};

}  // namespace duomap::scheduler
