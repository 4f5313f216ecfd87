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

/// The result of one step of a resident part.
template <map_reduce_task Task>
struct resident_step {
  partial_for<Task> found;
  double device_seconds = 0;  ///< from the start to the end of the work on the device; 0 unless asked for
};

/// A part of one source, resident on one device, and a task that maps it again and again. Used by one thread,
/// whose current CUDA device it changes.
template <map_reduce_task Task>
class resident_loop {
 public:
  virtual ~resident_loop() = default;

  /// Bytes that the part may have: those that are free on the device now, and those that the part has
  /// already.
  [[nodiscard]] virtual std::uint64_t most_bytes() = 0;

  /// Makes `part` the data of the next steps. Bytes that are on the device already are not copied again.
  /// Returns the bytes that were copied to it.
  /// @throws device_lost; out_of_memory, and the loop then holds nothing
  virtual std::uint64_t hold(const chunk& part) = 0;

  /// The part, with its bytes at their place on the device: a loop of another task may hold it without a
  /// copy.
  [[nodiscard]] virtual chunk held() const = 0;

  /// Starts to map and reduce the whole part. `task` is the task with this step's state: its members and
  /// arrays may have changed since the last step, its format, its number of keys and the sizes of its arrays
  /// must not. `timed`: finish() is to tell the device's seconds, which costs a microsecond or two.
  /// @throws device_lost
  virtual void begin(const Task& task, bool timed) = 0;

  /// Waits at most `seconds` for the work that begin() has started; nothing when it has not ended by then.
  /// @throws std::logic_error when map emitted a dense key that is not below key_count(); device_lost
  [[nodiscard]] virtual std::optional<resident_step<Task>> finish_within(double seconds) = 0;

  /// Waits for the work that begin() has started, however long it takes.
  [[nodiscard]] resident_step<Task> finish() {
    return *finish_within(std::numeric_limits<double>::infinity());
  }

  /// The device hangs: the loop will be neither used nor destroyed, and no later run uses the device.
  virtual void give_up() noexcept = 0;

  /// begin() and finish() in one call; `device_seconds`, if not null, gets resident_step::device_seconds.
  [[nodiscard]] partial_for<Task> step(const Task& task, double* device_seconds = nullptr) {
    begin(task, device_seconds != nullptr);
    resident_step<Task> done = finish();
    if (device_seconds != nullptr) *device_seconds = done.device_seconds;
    return std::move(done.found);
  }
};

}  // namespace duomap
