// Answers questions about a kind of device before a run, so that the planner need not know the kind.
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

/// A device as its provider lists it, without starting it. Members that do not apply are empty.
struct listed_device {
  int index = 0;                   ///< the provider's number
  std::string label = {};          ///< the short name, "gpu 0"
  std::string name = {};           ///< executor::name()
  std::string id = {};             ///< stays the same when the device gets another slot or another number
  std::string model = {};          ///< "NVIDIA H200"
  std::string bus = {};            ///< on PCI, "0000:3b:00.0"
  std::string link = {};           ///< to the host, "x16 of 32.0 GT/s PCIe"
  std::string driver = {};         ///< version
  std::uint64_t memory_bytes = 0;  ///< of its own, in all
};

struct device_list {
  std::vector<listed_device> devices = {};
  std::string reason =
      {};  ///< why there is no device, or why a device was left out, and the remedy; else empty
};

/// A device that takes part in a run.
struct device_in_run {
  const listed_device* is = nullptr;
  /// The CPUs near the device, on which its feeding threads should run; empty: all CPUs are alike.
  std::vector<unsigned> near_cores = {};
  /// Whether the CPU's workers take no part or wait for the devices, so that nobody else wants the cores.
  bool alone = false;
};

/// The number of devices to start that means all devices.
inline constexpr std::size_t every_device = std::numeric_limits<std::size_t>::max();

/// A kind of device. Stateless for its callers: any thread may ask, and the answers hold for the whole
/// process.
class device_provider {
 public:
  virtual ~device_provider() = default;

  /// Whether this build has code for such devices. If not, list() answers without asking a driver.
  [[nodiscard]] virtual bool is_built() const noexcept = 0;

  /// The devices of this machine. The first call may take tens of milliseconds or more; no call starts a
  /// device.
  [[nodiscard]] virtual const device_list& list() const = 0;

  /// Placeholders for devices until list() is called: their indices are known, perhaps their bus, but not
  /// whether they exist. None when list() takes no time.
  [[nodiscard]] virtual std::span<const listed_device> unlisted() const = 0;

  /// Whether there may be a device, as far as is known without waiting for it.
  [[nodiscard]] bool may_have_any() const { return !unlisted().empty() || !list().devices.empty(); }

  /// A clause that says why no device can run a task for which the program has no code.
  [[nodiscard]] virtual std::string no_code_reason() const = 0;

  /// Whether a device is ready for a run, or has to be started before, which takes long.
  [[nodiscard]] virtual bool is_started(int index) const noexcept = 0;
  [[nodiscard]] virtual bool any_started() const noexcept = 0;

  /// Starts devices on a thread of the provider and returns at once: the devices numbered in `only`, or any
  /// if `only` is empty, until `most` are started. Does nothing while a start goes on. False if it is known
  /// that there is no device to start. The same thread calls leave_background() before the process may end.
  virtual bool start_in_background(std::span<const int> only, std::size_t most) const = 0;
  /// From now on the process may end at any time; its end waits for the start if it must. The main thread
  /// returns at once; another thread waits until the devices are found, which takes tens of milliseconds.
  virtual void leave_background() const = 0;
  /// Estimated seconds until the background start ends; nothing when no start goes on.
  [[nodiscard]] virtual std::optional<double> start_seconds_left() const noexcept = 0;
  /// Seconds that the background start took until its first device was ready; 0 when it has started none.
  [[nodiscard]] virtual double background_start_seconds() const noexcept = 0;

  /// Whether the devices read all of an input without a copy, so that no thread feeds them.
  [[nodiscard]] virtual bool reads_in_place(const input& from) const = 0;

  /// The number of threads that are expected to bring input to each of `devices` devices on a host of `cores`
  /// cores.
  [[nodiscard]] virtual unsigned feeding_threads(unsigned cores, unsigned devices) const = 0;

  /// Memory that the device reads faster than any other, for blocks of streams; null when there is none.
  [[nodiscard]] virtual block_memory* memory_for_blocks(int index) const {
    static_cast<void>(index);
    return nullptr;
  }
};

}  // namespace duomap
