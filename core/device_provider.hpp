// The answers of a kind of device before a run, so that a run is planned without knowing the kind.
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
  std::string id = {};             ///< never changes, in whatever slot and under whatever number
  std::string model = {};          ///< "NVIDIA H200"
  std::string bus = {};            ///< on PCI, "0000:3b:00.0"
  std::string link = {};           ///< to the host, "x16 of 32.0 GT/s PCIe"
  std::string driver = {};         ///< version
  std::uint64_t memory_bytes = 0;  ///< of its own, in all
};

struct device_list {
  std::vector<listed_device> devices = {};
  std::string reason = {};  ///< why there is none, or why one was left out, and what to do; else empty
};

/// A device that takes part in a run.
struct device_in_run {
  const listed_device* is = nullptr;
  /// The CPUs near it, on which its feeding threads should run; empty: all CPUs are alike.
  std::vector<unsigned> near_cores = {};
  /// Whether the CPU's workers take no part, or wait for the devices: nobody else wants the cores.
  bool alone = false;
};

/// As a number of devices to start: all that there are.
inline constexpr std::size_t every_device = std::numeric_limits<std::size_t>::max();

/// A kind of device. Stateless for its callers: any thread may ask, the answers are those of the process.
class device_provider {
 public:
  virtual ~device_provider() = default;

  /// Whether this build has code for such devices. If not, list() has its answer without asking anybody.
  [[nodiscard]] virtual bool is_built() const noexcept = 0;

  /// The devices there are. Asking for the first time may take tens of milliseconds and more; starts none.
  [[nodiscard]] virtual const device_list& list() const = 0;

  /// Placeholders for devices as long as list() was not called: their indices are known, perhaps their bus,
  /// and not whether they exist. None when list() takes no time.
  [[nodiscard]] virtual std::span<const listed_device> unlisted() const = 0;

  /// Whether there may be a device, as far as is known without waiting for it.
  [[nodiscard]] bool may_have_any() const { return !unlisted().empty() || !list().devices.empty(); }

  /// Why none can run a task that the program has no code for, as a clause.
  [[nodiscard]] virtual std::string no_code_reason() const = 0;

  /// Whether a device is ready for a run, or has to be started before, which takes long.
  [[nodiscard]] virtual bool is_started(int index) const noexcept = 0;
  [[nodiscard]] virtual bool any_started() const noexcept = 0;

  /// Begins to start devices of those numbers, or any if there is none, on a thread of the provider and
  /// returns at once, until `most` of them are started; does nothing while a start goes on. False if it is
  /// known that there is no device to start. The same thread calls leave_background() before the process may
  /// end.
  virtual bool start_in_background(std::span<const int> only, std::size_t most) const = 0;
  /// From now on the process may end at any time; its end waits for the start if it must. The main thread
  /// returns at once; another thread waits until the devices are found, which takes tens of milliseconds.
  virtual void leave_background() const = 0;
  /// About how many seconds of that start are left; nothing when no start goes on.
  [[nodiscard]] virtual std::optional<double> start_seconds_left() const noexcept = 0;
  /// Seconds of that start until the first device was ready; 0 when it has started none.
  [[nodiscard]] virtual double background_start_seconds() const noexcept = 0;

  /// Whether the devices read all of an input without a copy, so that no thread feeds them.
  [[nodiscard]] virtual bool reads_in_place(const input& from) const = 0;

  /// Threads that are expected to bring input to each of `devices` devices on a host of `cores` cores.
  [[nodiscard]] virtual unsigned feeding_threads(unsigned cores, unsigned devices) const = 0;

  /// Memory that device reads faster than any other, for blocks of streams; null when there is none.
  [[nodiscard]] virtual block_memory* memory_for_blocks(int index) const {
    static_cast<void>(index);
    return nullptr;
  }
};

}  // namespace duomap
