// What a kind of device tells before a run, so that others can plan with devices that they cannot name.
// host only
#pragma once

#include "core/input/input.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace duomap {

/// A device as its provider lists it, without starting it. What does not apply is empty.
struct listed_device {
  int index = 0;            ///< the provider's number
  std::string label = {};   ///< the short name, "gpu 0"
  std::string name = {};    ///< executor::name()
  std::string id = {};      ///< never changes, in whatever slot and under whatever number
  std::string model = {};   ///< "NVIDIA H200"
  std::string bus = {};     ///< on PCI, "0000:3b:00.0"
  std::string link = {};    ///< to the host, "x16 of 32.0 GT/s PCIe"
  std::string driver = {};  ///< version
};

struct device_list {
  std::vector<listed_device> devices = {};
  std::string reason = {};  ///< why there is none, or why one was left out, and what to do; else empty
};

/// A device that takes part in a run.
struct device_in_run {
  const listed_device* is = nullptr;
  /// The CPUs near it, whose threads should bring it its input; empty: all are alike.
  std::vector<unsigned> near_cores = {};
};

/// A kind of device. Stateless for its callers: any thread may ask, the answers are those of the process.
class device_provider {
 public:
  virtual ~device_provider() = default;

  /// Whether this build has code for such devices. If not, list() has its answer without asking anybody.
  [[nodiscard]] virtual bool is_built() const noexcept = 0;

  /// The devices there are. Asking for the first time may take tens of milliseconds and more; starts none.
  [[nodiscard]] virtual const device_list& list() const = 0;

  /// Stand for the devices that there may be, as long as nobody has asked for them: only their indices are
  /// known, and the bus at best, and not whether they are there. None when list() takes no time.
  [[nodiscard]] virtual std::span<const listed_device> unlisted() const = 0;

  /// Whether there may be a device, as far as is known without waiting for it.
  [[nodiscard]] bool may_have_any() const { return !unlisted().empty() || !list().devices.empty(); }

  /// Why none can run a task that the program has no code for, as a clause.
  [[nodiscard]] virtual std::string no_code_reason() const = 0;

  /// Whether a device is ready for a run, or has to be started before, which takes long.
  [[nodiscard]] virtual bool is_started(int index) const noexcept = 0;
  [[nodiscard]] virtual bool any_started() const noexcept = 0;

  /// Begins to start the devices of those numbers, or all when there is none, on a thread of the provider's
  /// and returns at once; calls after the first begin nothing. False when it has turned out that there is
  /// none to start. Followed by leave_background(), by the same thread, before the process may end.
  virtual bool start_in_background(std::span<const int> only) const = 0;
  /// From now on the process may end whenever it likes: its end waits as long as it must. The main thread
  /// returns at once; another waits until the devices are found, which takes tens of milliseconds.
  virtual void leave_background() const = 0;
  /// What is left of that, in seconds, about; nothing when it does not go on.
  [[nodiscard]] virtual std::optional<double> start_seconds_left() const noexcept = 0;
  /// What that took until the first device was started, in seconds; 0 when it has started none.
  [[nodiscard]] virtual double background_start_seconds() const noexcept = 0;

  /// Whether the devices read all of an input where it lies, so that no thread brings it to them.
  [[nodiscard]] virtual bool reads_in_place(const input& from) const = 0;

  /// Threads that are expected to bring input to each of `devices` devices on a host of `cores` cores.
  [[nodiscard]] virtual unsigned feeding_threads(unsigned cores, unsigned devices) const = 0;
};

}  // namespace duomap
