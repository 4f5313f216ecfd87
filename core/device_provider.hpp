// The questions that the planner asks about devices before a run. All kinds of devices answer through the
// same class, so the planner knows no kind.
// host only
#pragma once

#include "core/input/input.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace duomap {

class block_memory;

/// A device in a provider's list. Listing a device does not start it. Members that do not apply are empty.
struct listed_device {
  int index = 0;                   ///< the provider's number
  std::string label = {};          ///< the short name, "gpu 0"
  std::string name = {};           ///< executor::name()
  std::string id = {};             ///< stays the same when the device gets another slot or another number
  std::string model = {};          ///< "NVIDIA H200"
  std::string bus = {};            ///< address on PCI, "0000:3b:00.0"
  std::string link = {};           ///< link to the host, "x16 of 32.0 GT/s PCIe"
  std::string driver = {};         ///< version of the driver
  std::uint64_t memory_bytes = 0;  ///< all memory of the device
};

struct device_list {
  std::vector<listed_device> devices = {};
  std::string reason =
      {};  ///< why there is no device, or why a device was left out, and the remedy; else empty
};

/// A device that takes part in a run.
struct device_in_run {
  const listed_device* is = nullptr;
  /// The CPUs near the device, for the threads that bring its input. Empty: all CPUs are alike.
  std::vector<unsigned> near_cores = {};
  /// Whether the CPU's workers are off or wait for the device, so that the cores are free.
  bool alone = false;
};

/// As a number of devices to start, it means all devices.
inline constexpr std::size_t every_device = std::numeric_limits<std::size_t>::max();

/// A kind of device, such as GPUs. Any thread may ask at any time. The answers hold for the whole process.
class device_provider {
 public:
  virtual ~device_provider() = default;

  /// Whether this build has code for such devices. If not, list() answers without asking a driver.
  [[nodiscard]] virtual bool is_built() const noexcept = 0;

  /// The devices of this machine. The first call may take tens of milliseconds. No call starts a device.
  [[nodiscard]] virtual const device_list& list() const = 0;

  /// Placeholders that stand for the devices until list() is called. They have an index and perhaps a bus;
  /// the devices may not exist. Empty if list() takes no time.
  [[nodiscard]] virtual std::span<const listed_device> unlisted() const = 0;

  /// False only if it is already known that there is no device. Does not wait for a list of devices.
  [[nodiscard]] bool may_have_any() const { return !unlisted().empty() || !list().devices.empty(); }

  /// A part of a sentence: why no device can run a task if the program has no device code for the task.
  [[nodiscard]] virtual std::string no_code_reason() const = 0;

  /// Whether a device is ready for a run. Starting a device takes long.
  [[nodiscard]] virtual bool is_started(int index) const noexcept = 0;
  [[nodiscard]] virtual bool any_started() const noexcept = 0;

  /// Begins to start devices on a thread of the provider, and returns at once. Starts at most `most` of the
  /// devices numbered in `only` (empty: of all). Does nothing while a start is going on. Returns false if
  /// there is surely no device. The calling thread must call leave_background() before the process may end.
  virtual bool start_in_background(std::span<const int> only, std::size_t most) const = 0;
  /// Allows the process to end; its end waits for a start that is going on, if necessary. Returns at once on
  /// the main thread. Another thread waits until the devices have been found, which takes tens of
  /// milliseconds.
  virtual void leave_background() const = 0;
  /// Estimated seconds until the start in the background ends; nothing when none is going on.
  [[nodiscard]] virtual std::optional<double> start_seconds_left() const noexcept = 0;
  /// Seconds until the start in the background had its first device ready; 0 if it has started no device.
  [[nodiscard]] virtual double background_start_seconds() const noexcept = 0;

  /// Whether the devices read the input where it is. Then no thread has to bring it to them.
  [[nodiscard]] virtual bool reads_in_place(const input& from) const = 0;

  /// The expected number of threads per device that bring input, for `devices` devices and a host of `cores`
  /// cores.
  [[nodiscard]] virtual unsigned feeding_threads(unsigned cores, unsigned devices) const = 0;

  /// Memory for blocks of streams that this device reads fastest; null if there is none.
  [[nodiscard]] virtual block_memory* memory_for_blocks(int index) const {
    static_cast<void>(index);
    return nullptr;
  }
};

}  // namespace duomap
