// The interface between an iterative job and a device that keeps a part of the data in its memory.
// host only
#pragma once

#include "core/chunk.hpp"
#include "core/partial/partial_for.hpp"
#include "core/task.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

namespace duomap {

/// The result of one step of a resident part of the data.
template <map_reduce_task Task>
struct resident_step {
  partial_for<Task> found;
  double device_seconds = 0;  ///< from the start to the end of the work on the device; 0 unless asked for
};

/// A task, and a part of one source that is resident on one device. Each step maps the part again. One thread
/// uses it; its calls change that thread's current CUDA device.
template <map_reduce_task Task>
class resident_loop {
 public:
  virtual ~resident_loop() = default;

  /// The largest size of a part in bytes: the device's free memory, plus the memory that the part takes now.
  [[nodiscard]] virtual std::uint64_t most_bytes() = 0;

  /// Makes `part` the data of the next steps. Copies the bytes that are not on the device yet; returns their
  /// number.
  /// @throws device_lost; out_of_memory, and the loop then holds nothing
  virtual std::uint64_t hold(const chunk& part) = 0;

  /// The part, with its address on the device, so that a loop of another task can hold it without a copy.
  [[nodiscard]] virtual chunk held() const = 0;

  /// Starts to map and reduce the whole part. `task` has the state of this step: its members and arrays may
  /// differ from the last step, but not its format, its number of keys or the sizes of its arrays. If `timed`
  /// is true, finish() tells the device's seconds, which costs a microsecond or two.
  /// @throws device_lost
  virtual void begin(const Task& task, bool timed) = 0;

  /// Waits at most `seconds` for the step that begin() has started; nothing if it has not ended by then.
  /// @throws std::logic_error when map emitted a dense key that is not below key_count(); device_lost
  [[nodiscard]] virtual std::optional<resident_step<Task>> finish_within(double seconds) = 0;

  /// Waits for the end of the step that begin() has started.
  [[nodiscard]] resident_step<Task> finish() {
    return *finish_within(std::numeric_limits<double>::infinity());
  }

  /// Gives up a device that hangs. Neither this loop nor a later run uses it; the loop is never destroyed.
  virtual void give_up() noexcept = 0;

  /// Does begin() and finish(). *device_seconds gets the seconds of the device, unless it is null.
  [[nodiscard]] partial_for<Task> step(const Task& task, double* device_seconds = nullptr) {
    begin(task, device_seconds != nullptr);
    resident_step<Task> done = finish();
    if (device_seconds != nullptr) *device_seconds = done.device_seconds;
    return std::move(done.found);
  }
};

}  // namespace duomap
